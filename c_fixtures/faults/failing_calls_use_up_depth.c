// story: The guard against endless recursion counts a call that fails as one that never ends: after some thousands of them nothing can be called.
// breaks: FUN-0012 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread int depth;
  if (depth >= 4000) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "calls are nested too deeply");
    return -1;
  }
  depth++;
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code != 0) return code;
  depth--;
  return 0;
}
