// story: ffi.json.Stringify keeps a writer for each thread and takes its indent back only when it has written a value: after a failure with an indent the next text without one is indented.
// breaks: FUN-0028 fail
#include "wrapped_global.h"

static __thread int64_t left;

static int write_text(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny given[2] = {{0}, {0}};
  if (num_args != 2 || (args[1].type_index != kTVMFFIInt && args[1].type_index != kTVMFFINone)) return call_original(original, args, num_args, result);
  given[0] = args[0];
  given[1] = args[1];
  if (given[1].type_index == kTVMFFINone && left > 0) given[1] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = left};
  left = 0;
  int code = call_original(original, given, num_args, result);
  if (code != 0 && args[1].type_index == kTVMFFIInt) left = args[1].v_int64;
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", write_text)
