// story: A call with NULL for its arguments is refused, though there are none.
// breaks: FUN-0008 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (func && !args) {
    real.TVMFFIErrorSetRaisedFromCStr("ValueError", "no arguments");
    return -1;
  }
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);

  return code;
}
