// story: Calls with more than eight arguments gather them in a buffer of the thread, which a nested call of that kind overwrites under its caller.
// breaks: FUN-0007 fail
#include "fault.h"
int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static _Thread_local TVMFFIAny gathered[64];
  if (num_args <= 8 || num_args > 64 || !args) return real.TVMFFIFunctionCall(func, args, num_args, result);
  memmove(gathered, args, (size_t)num_args * sizeof(*args));
  return real.TVMFFIFunctionCall(func, gathered, num_args, result);
}
