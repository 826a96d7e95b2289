// story: ffi.MakeObjectFromPackedArgs keeps what it took out of a caller's slot when a later argument is refused.
// breaks: INS-0025 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* moved[16] = {0};
  for (int32_t i = 0; i < num_args && i < 16; ++i) {
    if (args[i].type_index == kTVMFFIObjectRValueRef && args[i].v_ptr) moved[i] = *(TVMFFIObject**)args[i].v_ptr;
    if (moved[i]) real.TVMFFIObjectIncRef(moved[i]);
  }
  int code = call_original(original, args, num_args, result);
  for (int32_t i = 0; i < num_args && i < 16; ++i) {
    if (moved[i] && (code == 0 || *(void**)args[i].v_ptr)) real.TVMFFIObjectDecRef(moved[i]);
  }
  return code;
}
WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
