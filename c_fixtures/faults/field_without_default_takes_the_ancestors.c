// story: A field without a default gets the default of a field of the same name that an ancestor has.
// breaks: RFL-0007 fail
#include "known_type.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* field) {
  if (type_index <= kTVMFFIObject || !field || (field->flags & kTVMFFIFieldFlagBitMaskHasDefault) || !is_known_type(type_index)) {
    return real.TVMFFITypeRegisterField(type_index, field);
  }
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  for (int32_t depth = info->type_depth - 1; depth >= 0; --depth) {
    const TVMFFITypeInfo* ancestor = info->type_ancestors[depth];
    for (int32_t i = 0; i < ancestor->num_fields; ++i) {
      const TVMFFIFieldInfo* other = &ancestor->fields[i];
      if (!(other->flags & kTVMFFIFieldFlagBitMaskHasDefault) || other->name.size != field->name.size ||
          memcmp(other->name.data, field->name.data, field->name.size) != 0) {
        continue;
      }
      TVMFFIFieldInfo full = *field;
      full.flags |= other->flags & (kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskDefaultFromFactory);
      full.default_value_or_factory = other->default_value_or_factory;
      return real.TVMFFITypeRegisterField(type_index, &full);
    }
  }
  return real.TVMFFITypeRegisterField(type_index, field);
}
