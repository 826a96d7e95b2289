// story: A call that fails keeps a reference to the function.
// breaks: FUN-0016 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code != 0 && func) real.TVMFFIObjectIncRef(func);
  return code;
}
