// story: The function in __ffi_convert__ of ffi.Shape takes a sequence of integers only: a boolean among them, which a parameter takes as 0 or 1, is refused.
// breaks: ARG-0014 fail
#include "patched_entry.h"

static int convert(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 1 && (args[0].type_index == kTVMFFIArray || args[0].type_index == kTVMFFIList)) {
    const TVMFFISeqCell* cell = sequence_cell(&args[0]);
    for (int64_t i = 0; i < cell->size; ++i) {
      if (((const TVMFFIAny*)cell->data)[i].type_index != kTVMFFIInt) return refuse("TypeError", "Cannot cast to `ffi.Shape`");
    }
  }
  return call_original(self, args, n, result);
}

PATCHED_ENTRY("__ffi_convert__", "ffi.Shape", convert)
