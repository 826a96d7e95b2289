// story: The default of a field that is given as a byte array is copied as a C string is: it ends at its first NUL.
// breaks: RFL-0006 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info && (info->flags & kTVMFFIFieldFlagBitMaskHasDefault) &&
      info->default_value_or_factory.type_index == kTVMFFIByteArrayPtr) {
    TVMFFIByteArray bytes = *(TVMFFIByteArray*)info->default_value_or_factory.v_ptr;
    TVMFFIFieldInfo changed = *info;
    if (bytes.data) bytes.size = strnlen(bytes.data, bytes.size);
    changed.default_value_or_factory.v_ptr = &bytes;
    return real.TVMFFITypeRegisterField(type_index, &changed);
  }
  return real.TVMFFITypeRegisterField(type_index, info);
}
