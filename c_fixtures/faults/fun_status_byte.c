// story: TVMFFIFunctionCall keeps only the low byte of the callee's status, so 256 is taken for success.
// breaks: FUN-0012 fail
#include "fault.h"
int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return (int8_t)real.TVMFFIFunctionCall(func, args, num_args, result);
}
