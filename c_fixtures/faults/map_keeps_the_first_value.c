// story: A key that is given again keeps the value that came first.
// breaks: MAP-0008 fail
// breaks: DCT-0001 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny first[256];
  if (num_args > 256) return call_original(original, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) first[i] = args[i];
  for (int32_t i = 2; i + 1 < num_args; i += 2) {
    for (int32_t j = 0; j < i; j += 2) {
      if (memcmp(&args[i], &args[j], sizeof(TVMFFIAny)) == 0) first[i + 1] = first[j + 1];
    }
  }
  return call_original(original, first, num_args, result);
}

WRAPPED_GLOBALS(callee, "ffi.Map", "ffi.Dict")
