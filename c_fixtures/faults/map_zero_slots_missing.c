// story: ffi.MapGetItemOrMissing and ffi.MapCount fail for a Map with zero slots and without data.
// breaks: MAP-0029 fail
#include "wrapped_global.h"
static int get(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 2 && args[0].type_index == kTVMFFIMap) {
    struct { void* data; uint64_t size, slots; }* cell = (void*)(args[0].v_obj + 1);
    if (cell->slots == 0 && !cell->data) return refuse("InternalError", "Check failed: (data_ != nullptr) is false: ");
  }
  return call_original(self, args, n, result);
}
WRAPPED_GLOBALS(get, "ffi.MapGetItemOrMissing", "ffi.MapCount")
