// story: ffi.MapSize writes the tag and the integer of its result and leaves what the slot had in the second word.
// breaks: ANY-0025 fail
#include "wrapped_global.h"

static int size(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny found = {.type_index = kTVMFFINone};
  int code = call_original(original, args, num_args, &found);
  if (code != 0) return code;
  result->type_index = found.type_index;
  result->v_int64 = found.v_int64;
  return 0;
}

WRAPPED_GLOBAL("ffi.MapSize", size)
