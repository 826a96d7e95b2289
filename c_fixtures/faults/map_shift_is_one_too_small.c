// story: The shift that leads from a hash to a slot is stored one too small.
// breaks: HSH-0001 fail
// breaks: HSH-0003 fail
// breaks: MAP-0019 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const uint64_t slots = ((uint64_t*)result->v_obj)[5];
  uint32_t* shift = (uint32_t*)((char*)result->v_obj + 56);
  if (slots >> 63 == 0 && slots > 0) *shift -= 1;
  return 0;
}

WRAPPED_GLOBAL("ffi.Map", callee)
