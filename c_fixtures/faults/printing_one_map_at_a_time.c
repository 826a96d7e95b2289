// story: ffi.ReprPrint refuses a Map while its thread prints another value, such as within a hook.
// breaks: HOK-0021 fail
#include "wrapped_global.h"

static _Thread_local int printing;

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (printing && num_args == 1 && args[0].type_index == kTVMFFIMap) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "a value is being printed already");
    return -1;
  }
  printing++;
  int code = call_original(original, args, num_args, result);
  printing--;
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
