// story: Calls with one argument go through one place for their results, which all threads share.
// breaks: FUN-0020 fail
// chance: Threads meet in the place.
#include "fault.h"

#include <sched.h>

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static TVMFFIAny shared;
  if (func && result && num_args == 1 && args[0].type_index == kTVMFFIInt) {
    shared = *result;
    int status = real.TVMFFIFunctionCall(func, args, 1, &shared);
    sched_yield();
    *result = shared;
    return status;
  }
  return real.TVMFFIFunctionCall(func, args, num_args, result);
}
