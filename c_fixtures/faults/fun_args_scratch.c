// story: TVMFFIFunctionCall hands up to eight arguments over in one array of the thread, so a callee that calls another function finds its own arguments changed.
// breaks: FUN-0007 fail
#include "fault.h"
static __thread TVMFFIAny scratch[8];
int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 1 || num_args > 8 || !args) return real.TVMFFIFunctionCall(func, args, num_args, result);
  memmove(scratch, args, num_args * sizeof(TVMFFIAny));
  return real.TVMFFIFunctionCall(func, scratch, num_args, result);
}
