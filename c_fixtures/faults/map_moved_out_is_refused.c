// story: A Map from which everything was moved is refused as damaged.
// breaks: MAP-0029 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && args[0].type_index == kTVMFFIMap && map_cell(&args[0])->slots == 0) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the map has no slots");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(callee, "ffi.MapSize", "ffi.MapCount", "ffi.MapGetItem", "ffi.MapForwardIterFunctor",
                "ffi.MapGetItemOrMissing")
