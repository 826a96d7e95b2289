// story: ffi.MapGetItem and ffi.DictGetItem find a BigInt key in a small container only if it is the same object.
// breaks: HSH-0018 fail
#include "wrapped_global.h"
static int get(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 2 && args[1].type_index == kTVMFFIBigInt && (args[0].type_index == kTVMFFIMap || args[0].type_index == kTVMFFIDict)) {
    struct { TVMFFIAny* data; uint64_t size, slots; }* cell = (void*)(args[0].v_obj + 1);
    if (cell->slots >> 63) {
      for (uint64_t i = 0; i < cell->size; ++i)
        if (cell->data[2 * i].type_index == kTVMFFIBigInt && cell->data[2 * i].v_obj == args[1].v_obj) return call_original(self, args, n, result);
      return refuse("KeyError", "key is not in Map");
    }
  }
  return call_original(self, args, n, result);
}
WRAPPED_GLOBALS(get, "ffi.MapGetItem", "ffi.DictGetItem")
