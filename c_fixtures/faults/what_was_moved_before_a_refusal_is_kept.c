// story: ffi.Array takes objects out of r-value references one by one; when a later one turns out to be moved already, those it has taken are not released.
// breaks: ARG-0001 fail
#include "wrapped_global.h"
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int32_t moved = 0;
  for (int32_t i = 0; i < num_args; ++i) moved += args[i].type_index == kTVMFFIObjectRValueRef && args[i].v_ptr && *(void**)args[i].v_ptr;
  void** held = moved ? calloc((size_t)num_args, sizeof(void*)) : NULL;
  if (!held) return call_original(original, args, num_args, result);
  /* A second reference to the same slot finds nothing to move. */
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index != kTVMFFIObjectRValueRef || !args[i].v_ptr || !*(void**)args[i].v_ptr) continue;
    held[i] = *(void**)args[i].v_ptr;
    for (int32_t j = 0; j < i; ++j) {
      if (args[j].type_index == kTVMFFIObjectRValueRef && args[j].v_ptr == args[i].v_ptr) held[i] = NULL;
    }
    if (held[i]) real.TVMFFIObjectIncRef(held[i]);
  }
  int code = call_original(original, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    if (held[i] && (code == 0 || *(void**)args[i].v_ptr)) real.TVMFFIObjectDecRef(held[i]);
  }
  free(held);
  return code;
}
WRAPPED_GLOBAL("ffi.Array", make)
