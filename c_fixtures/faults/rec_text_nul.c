// story: ffi.RecursiveLt and its three relatives order texts up to their first NUL.
// breaks: REC-0007 fail
#include "wrapped_global.h"
static int is_text(const TVMFFIAny* a) { return a->type_index == kTVMFFIRawStr || a->type_index == kTVMFFISmallStr || a->type_index == kTVMFFIStr; }
static int order(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 2 || !is_text(&args[0]) || !is_text(&args[1])) return call_original(self, args, n, result);
  TVMFFIByteArray x = text_of(&args[0]), y = text_of(&args[1]);
  char *a = strndup(x.data, x.size), *b = strndup(y.data, y.size);
  TVMFFIAny own[2] = {{.type_index = kTVMFFIRawStr, .v_c_str = a}, {.type_index = kTVMFFIRawStr, .v_c_str = b}};
  int code = call_original(self, own, 2, result);
  free(a);
  free(b);
  return code;
}
WRAPPED_GLOBALS(order, "ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe")
