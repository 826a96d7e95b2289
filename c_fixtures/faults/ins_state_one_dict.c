// story: The function in __ffi_init__ of ffi.EnumState puts one Dict into both fields, indexes and attrs.
// breaks: INS-0017 fail
#include "patched_entry.h"
static int init(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0) return code;
  TVMFFIObject** field = (TVMFFIObject**)((char*)result->v_obj + 32);
  real.TVMFFIObjectIncRef(field[0]);
  real.TVMFFIObjectDecRef(field[1]);
  field[1] = field[0];
  return 0;
}

PATCHED_ENTRY("__ffi_init__", "ffi.EnumState", init)
