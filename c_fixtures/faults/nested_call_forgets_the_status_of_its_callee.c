// story: A call within a call answers -1 for whatever its callee answers.
// breaks: FUN-0013 fail
#include "fault.h"

static __thread int depth;

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  ++depth;
  const int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  return --depth > 0 && code != 0 ? -1 : code;
}

