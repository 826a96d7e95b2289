// story: The setter that ffi.MakeFieldSetter makes for a boolean writes eight bytes: the fields behind it are cleared.
// breaks: DCL-0021 fail
// chance: Memory behind an object whose last field is a boolean is overwritten.

#include "wrapped_global.h"

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(original, (TVMFFIAny*)args, num_args, result);
  if (code == 0 && num_args == 2 && args[0].type_index == kTVMFFIOpaquePtr) {
    int64_t wide = *(uint8_t*)args[0].v_ptr;
    memcpy(args[0].v_ptr, &wide, sizeof(wide));
  }
  return code;
}

static void release(void* original) { real.TVMFFIObjectDecRef(original); }

static int make_setter(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIInt || args[0].v_int64 != kTVMFFIBool) return code;
  TVMFFIObjectHandle made = NULL;
  code = real.TVMFFIFunctionCreate(result->v_obj, set, release, &made);
  if (code == 0) result->v_ptr = made;
  return code;
}

WRAPPED_GLOBAL("ffi.MakeFieldSetter", make_setter)
