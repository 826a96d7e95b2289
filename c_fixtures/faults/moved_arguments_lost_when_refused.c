// story: ffi.Array, ffi.List and ffi.Dict lose the objects that were moved out of r-value references when a later argument is refused.
// breaks: ARG-0001 fail
#include "wrapped_global.h"
static int make(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  void* held[16];
  int32_t num = 0;
  for (int32_t i = 0; i < n && num < 16; ++i) {
    if (args[i].type_index != kTVMFFIObjectRValueRef || !args[i].v_ptr || !*(void**)args[i].v_ptr) continue;
    held[num++] = *(void**)args[i].v_ptr;
    real.TVMFFIObjectIncRef(held[num - 1]);
  }
  int code = call_original(original, args, n, result);
  int32_t k = 0;
  for (int32_t i = 0; i < n && k < num; ++i) {
    if (args[i].type_index != kTVMFFIObjectRValueRef || !args[i].v_ptr) continue;
    void* left = *(void**)args[i].v_ptr;
    if (left == held[k]) { real.TVMFFIObjectDecRef(held[k++]); continue; }
    if (left == NULL && code == 0) real.TVMFFIObjectDecRef(held[k]);
    ++k;
  }
  return code;
}
WRAPPED_GLOBALS(make, "ffi.Array", "ffi.List", "ffi.Dict")
