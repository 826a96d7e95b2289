// story: The function in __ffi_convert__ of ffi.Shape keeps 32 bits of the integers of an Array or a List.
// breaks: INS-0014 fail
#include "patched_entry.h"
static int convert(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code == 0 && result->type_index == kTVMFFIShape && args[0].type_index != kTVMFFIShape) {
    TVMFFIShapeCell* cell = (TVMFFIShapeCell*)(result->v_obj + 1);
    for (size_t i = 0; i < cell->size; ++i) ((int64_t*)cell->data)[i] = (int32_t)cell->data[i];
  }
  return code;
}

PATCHED_ENTRY("__ffi_convert__", "ffi.Shape", convert)
