// story: ffi.FunctionRemoveGlobal takes the name for one that ends at its first NUL.
// breaks: GLB-0018 fail
#include "wrapped_global.h"
static int take(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIByteArray text = n == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  if (strnlen(text.data, text.size) == text.size) return call_original(self, args, n, result);
  TVMFFIAny own = {.type_index = kTVMFFIRawStr, .v_c_str = text.data};
  char* cut = strndup(text.data, text.size);
  own.v_c_str = cut;
  int code = call_original(self, &own, 1, result);
  free(cut);
  return code;
}
WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", take)
