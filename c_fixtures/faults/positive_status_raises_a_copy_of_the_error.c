// story: Where a callee fails with a positive status, its error is made anew from its texts.
// breaks: FUN-0014 fail
#include "raised_error.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code > 0) rewrite_raised();
  return code;
}
