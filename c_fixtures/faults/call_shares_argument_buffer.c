// story: TVMFFIFunctionCall hands a few arguments over in one buffer for each thread, so a callee finds others in their place after it has made a call itself.
// breaks: FUN-0007 fail
// chance: Objects that are taken for others end once too often, and their memory is used.
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread TVMFFIAny buffer[4];
  if (num_args < 1 || num_args > 4 || args == buffer) return real.TVMFFIFunctionCall(func, args, num_args, result);
  memmove(buffer, args, num_args * sizeof *args);
  return real.TVMFFIFunctionCall(func, buffer, num_args, result);
}
