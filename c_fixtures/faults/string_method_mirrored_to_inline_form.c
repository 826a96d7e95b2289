// story: A method that is registered for ffi.String is listed for the inline form, ffi.SmallStr, as well.
// breaks: RFL-0010 fail
#include "fault.h"

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  int code = real.TVMFFITypeRegisterMethod(type_index, info);
  if (code == 0 && type_index == kTVMFFIStr) return real.TVMFFITypeRegisterMethod(kTVMFFISmallStr, info);
  return code;
}
