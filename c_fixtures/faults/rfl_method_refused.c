// story: TVMFFITypeRegisterMethod takes its reference to the function before it finds that there is no such type, and keeps it.
// breaks: RFL-0035 leak
#include "fault.h"
int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  int code = real.TVMFFITypeRegisterMethod(type_index, info);
  if (code != 0 && info && info->method.type_index >= 64) real.TVMFFIObjectIncRef(info->method.v_obj);
  return code;
}
