// story: The shallow copy of a StructuralKey has the key but not its hash.
// breaks: INS-0011 fail
#include "patched_entry.h"
static int copy(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code == 0) *(int64_t*)((char*)result->v_obj + 40) = 0;
  return code;
}

PATCHED_ENTRY("__ffi_shallow_copy__", "ffi.StructuralKey", copy)
