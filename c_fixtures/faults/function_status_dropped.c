// story: A call fails only if the callee answers -1.
// breaks: FUN-0012 fail
// breaks: FUN-0013 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return real.TVMFFIFunctionCall(function, args, num_args, result) == -1 ? -1 : 0;
}
