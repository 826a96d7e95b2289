// story: ffi.ArrayGetItem checks the index against the capacity of the Array and not against its size.
// breaks: ARR-0019 crash
#include "wrapped_global.h"
static int get(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 2 && args[0].type_index == kTVMFFIArray && args[1].type_index == kTVMFFIInt) {
    TVMFFISeqCell* cell = sequence_cell(&args[0]);
    int64_t i = args[1].v_int64;
    if (i >= cell->size && i < cell->capacity) return real.TVMFFIAnyViewToOwnedAny((TVMFFIAny*)cell->data + i, result);
  }
  return call_original(self, args, n, result);
}
WRAPPED_GLOBAL("ffi.ArrayGetItem", get)
