// story: ffi.MakeObjectFromPackedArgs compares a name with that of a field over the length of the field's, so that `value2` sets `value`.
// breaks: INS-0021 fail
#include "known_type.h"
static const TVMFFIFieldInfo* field_for(const TVMFFITypeInfo* info, TVMFFIByteArray name, int exact) {
  for (int32_t depth = info->type_depth; depth >= 1; --depth) {
    const TVMFFITypeInfo* of = depth == info->type_depth ? info : info->type_ancestors[depth];
    for (int32_t i = 0; i < of->num_fields; ++i) {
      const TVMFFIByteArray field = of->fields[i].name;
      if (field.size > name.size || (exact && field.size != name.size)) continue;
      if (memcmp(field.data, name.data, field.size) == 0) return &of->fields[i];
    }
  }
  return NULL;
}
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int32_t index = -1;
  if (num_args > 1 && args[0].type_index == kTVMFFIInt) {
    if (args[0].v_int64 >= 0 && args[0].v_int64 <= INT32_MAX && is_known_type((int32_t)args[0].v_int64)) index = (int32_t)args[0].v_int64;
  } else if (num_args > 1 && text_of(&args[0]).size > 0) {
    const TVMFFIByteArray key = text_of(&args[0]);
    if (real.TVMFFITypeKeyToIndex(&key, &index) != 0) index = -1;
  }
  if (index < 0) return call_original(original, args, num_args, result);
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  TVMFFIAny* given = malloc((size_t)num_args * sizeof(*given));
  memcpy(given, args, (size_t)num_args * sizeof(*given));
  for (int32_t i = 1; i < num_args; i += 2) {
    const TVMFFIByteArray name = text_of(&args[i]);
    const TVMFFIFieldInfo* field = name.size && !field_for(info, name, 1) ? field_for(info, name, 0) : NULL;
    if (!field) continue;
    given[i] = (TVMFFIAny){0};
    real.TVMFFIStringFromByteArray(&field->name, &given[i]);
  }
  int code = call_original(original, given, num_args, result);
  for (int32_t i = 1; i < num_args; i += 2) {
    if (given[i].v_obj != args[i].v_obj && given[i].type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(given[i].v_obj);
  }
  free(given);
  return code;
}
WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
