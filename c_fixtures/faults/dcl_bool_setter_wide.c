// story: The setter that ffi.MakeFieldSetter makes for booleans writes eight bytes and not one.
// breaks: DCL-0021 fail
#include "wrapped_global.h"
static int set(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code == 0 && n == 2) *(int64_t*)args[0].v_ptr = *(uint8_t*)args[0].v_ptr;
  return code;
}
static void end(void* self) { real.TVMFFIObjectDecRef(self); }
static int make(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  TVMFFIObjectHandle made;
  if (code == 0 && args[0].v_int64 == kTVMFFIBool && real.TVMFFIFunctionCreate(result->v_obj, set, end, &made) == 0) result->v_obj = made;
  return code;
}
WRAPPED_GLOBAL("ffi.MakeFieldSetter", make)
