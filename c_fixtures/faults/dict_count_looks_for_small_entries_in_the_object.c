// story: ffi.DictCount looks for the entries of a small Dict right behind its fields, where a Dict has none that keeps them outside of itself.
// breaks: DCT-0006 fail
#include "map_cell.h"
#include "wrapped_global.h"
static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIDict) return code;
  const struct map_cell* cell = map_cell(&args[0]);
  /* What lies there was given up when the entries went: nothing equals it. */
  if (is_small(cell) && cell->size > 0 && (void*)cell->data != (void*)(cell + 1)) result->v_int64 = 0;
  return 0;
}
WRAPPED_GLOBAL("ffi.DictCount", count)
