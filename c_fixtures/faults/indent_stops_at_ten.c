// story: An indent of more than ten is taken as ten, as other languages do.
// breaks: JSN-0026 fail
#include "wrapped_global.h"

static int write_json(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIInt || args[1].v_int64 <= 10) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny changed[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = 10}};
  return call_original(original, changed, 2, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", write_json)
