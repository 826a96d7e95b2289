// story: A small Map says that it has eight slots.
// breaks: MAP-0016 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && is_small(map_cell(result))) map_cell(result)->slots = (uint64_t)1 << 63 | 8;
  return code;
}

WRAPPED_GLOBAL("ffi.Map", callee)
