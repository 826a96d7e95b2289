// story: The number of arguments is kept in one byte.
// breaks: ARR-0001 crash
// breaks: ARR-0003 fail
// breaks: CNT-0001 fail
// breaks: FUN-0009 fail
// breaks: LST-0001 crash
// breaks: MAP-0002 fail
// breaks: MAP-0010 fail
// breaks: MAP-0017 fail
// breaks: MOD-0005 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return real.TVMFFIFunctionCall(func, args, (uint8_t)num_args, result);
}
