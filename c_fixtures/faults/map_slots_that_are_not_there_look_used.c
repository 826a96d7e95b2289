// story: The second half of the block of a Map with six entries, where there are no slots, has zeros for metadata, as if they were used.
// breaks: MAP-0017 fail
#include "map_dense_cell.h"
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && is_dense(result) && map_cell(result)->slots == 8 && map_cell(result)->size == 6) memset(dense_metadata(result, 8), 0, 8);
  return code;
}

WRAPPED_GLOBAL("ffi.Map", make)
