// story: The number of arguments is kept in one byte.
// breaks: FUN-0009 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return real.TVMFFIFunctionCall(func, args, (uint8_t)num_args, result);
}
