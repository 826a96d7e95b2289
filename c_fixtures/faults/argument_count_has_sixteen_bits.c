// story: The number of a call's arguments passes through sixteen bits: 65,536 arguments arrive as none.
// breaks: FUN-0009 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return real.TVMFFIFunctionCall(func, args, num_args < 0 ? num_args : (uint16_t)num_args, result);
}
