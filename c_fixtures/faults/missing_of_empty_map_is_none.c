// story: ffi.MapGetItemOrMissing returns early with None from a Map without entries.
// breaks: MAP-0006 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int get_or_missing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIMap && map_cell(&args[0])->size == 0) {
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.MapGetItemOrMissing", get_or_missing)
