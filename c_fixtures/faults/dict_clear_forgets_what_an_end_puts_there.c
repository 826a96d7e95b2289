// story: ffi.DictClear releases the entries and then sets the size of a small Dict to zero: what the end of a value has put there meanwhile is never released.
// breaks: DCT-0034 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int clear(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index == kTVMFFIDict && is_small(map_cell(&args[0]))) map_cell(&args[0])->size = 0;
  return code;
}

WRAPPED_GLOBAL("ffi.DictClear", clear)
