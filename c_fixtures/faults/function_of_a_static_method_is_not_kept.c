// story: The table keeps the function of a method that is called on an object alive, and not that of a static one.
// breaks: RFL-0015 fail
// chance: Freed memory is used.
#include "fault.h"

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  int code = real.TVMFFITypeRegisterMethod(type_index, info);
  if (code == 0 && (info->flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) && info->method.type_index == kTVMFFIFunction) {
    real.TVMFFIObjectDecRef(info->method.v_obj);
  }
  return code;
}
