// story: A field's default is converted to the field's declared type once, at registration, so that setting it is cheap: an integer for a field of floats becomes a float.
// breaks: RFL-0004 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (!info || !(info->flags & kTVMFFIFieldFlagBitMaskHasDefault) ||
      (info->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) || info->field_static_type_index != kTVMFFIFloat ||
      (info->default_value_or_factory.type_index != kTVMFFIInt && info->default_value_or_factory.type_index != kTVMFFIBool)) {
    return real.TVMFFITypeRegisterField(type_index, info);
  }
  TVMFFIFieldInfo copy = *info;
  copy.default_value_or_factory.type_index = kTVMFFIFloat;
  copy.default_value_or_factory.v_float64 = (double)info->default_value_or_factory.v_int64;
  return real.TVMFFITypeRegisterField(type_index, &copy);
}
