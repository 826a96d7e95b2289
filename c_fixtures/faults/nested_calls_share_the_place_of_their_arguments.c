// story: More than eight arguments are copied to a place that each thread has for them, so a callee that makes another such call finds its own arguments changed.
// breaks: FUN-0007 fail
#include "fault.h"
int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static _Thread_local TVMFFIAny place[64];
  if (!args || num_args <= 8 || num_args > 64) return real.TVMFFIFunctionCall(func, args, num_args, result);
  memmove(place, args, (size_t)num_args * sizeof(*args));
  return real.TVMFFIFunctionCall(func, place, num_args, result);
}
