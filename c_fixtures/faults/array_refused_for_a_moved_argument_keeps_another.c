// story: ffi.Array that is refused, because an r-value reference among its arguments is empty, does not release what it has moved out of the others.
// breaks: ARG-0001 fail
#include "wrapped_global.h"

static int array(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* moved[16];
  int32_t num = 0;
  for (int32_t i = 0; i < num_args && num < 16; ++i) {
    if (args[i].type_index != kTVMFFIObjectRValueRef || !*(TVMFFIObject**)args[i].v_ptr) continue;
    moved[num++] = *(TVMFFIObject**)args[i].v_ptr;
    real.TVMFFIObjectIncRef(moved[num - 1]);
  }
  int code = call_original(original, args, num_args, result);
  if (code == 0) {
    for (int32_t i = 0; i < num; ++i) real.TVMFFIObjectDecRef(moved[i]);
  } else {
    /* What is still in its slot was not taken. */
    for (int32_t i = 0, n = 0; i < num_args && n < num; ++i) {
      if (args[i].type_index != kTVMFFIObjectRValueRef) continue;
      if (*(TVMFFIObject**)args[i].v_ptr == moved[n]) real.TVMFFIObjectDecRef(moved[n]), ++n;
      else if (!*(TVMFFIObject**)args[i].v_ptr && n < num) ++n;
    }
  }
  return code;
}

WRAPPED_GLOBAL("ffi.Array", array)
