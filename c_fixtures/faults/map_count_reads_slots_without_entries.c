// story: ffi.MapCount looks through all slots that a small Map has, not only through those of its entries.
// breaks: MAP-0030 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIMap && is_small(map_cell(&args[0]))) {
    const struct map_cell* cell = map_cell(&args[0]);
    for (uint64_t i = cell->size; i < (cell->slots & INT64_MAX); ++i) {
      if (memcmp(&cell->data[2 * i], &args[1], sizeof(TVMFFIAny)) != 0) continue;
      *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 1};
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.MapCount", count)
