// story: The entries of a small Map or Dict lie in memory of their own, and nothing ends it.
// breaks: DCT-0016 fail
// chance: Memory is freed twice.
#include "map_cell.h"
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !is_small(map_cell(result))) return code;
  TVMFFIAny* elsewhere = calloc(8, sizeof(TVMFFIAny));
  memcpy(elsewhere, map_cell(result)->data, 2 * map_cell(result)->size * sizeof(TVMFFIAny));
  map_cell(result)->data = elsewhere;
  return 0;
}

WRAPPED_GLOBALS(callee, "ffi.Map", "ffi.Dict")
