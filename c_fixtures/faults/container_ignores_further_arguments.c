// story: Functions of containers ignore arguments behind those that they need.
// breaks: ARR-0016 fail
// breaks: LST-0026 fail
// breaks: MAP-0026 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return call_original(original, args, num_args > 2 ? 2 : num_args, result);
}

WRAPPED_GLOBALS(callee, "ffi.ArrayGetItem", "ffi.ListGetItem", "ffi.MapGetItem", "ffi.MapCount", "ffi.DictGetItem",
                "ffi.DictCount")
