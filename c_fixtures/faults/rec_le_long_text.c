// story: ffi.RecursiveLe and ffi.RecursiveGe are false for two String objects of the same content that are not one object.
// breaks: REC-0007 fail
#include "wrapped_global.h"
static int order(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || args[0].type_index != kTVMFFIStr || args[1].type_index != kTVMFFIStr || args[0].v_obj == args[1].v_obj) return code;
  TVMFFIByteArray x = text_of(&args[0]), y = text_of(&args[1]);
  if (x.size == y.size && !memcmp(x.data, y.data, x.size)) result->v_int64 = 0;
  return 0;
}
WRAPPED_GLOBALS(order, "ffi.RecursiveLe", "ffi.RecursiveGe")
