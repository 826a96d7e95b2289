// story: TVMFFITypeRegisterMethod clears the raised error when it has succeeded.
// breaks: ERR-0022 fail
#include "raised_error.h"
int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  int code = real.TVMFFITypeRegisterMethod(type_index, info);
  if (code == 0) forget_raised();
  return code;
}
