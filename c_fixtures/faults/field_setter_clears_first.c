// story: A setter that ffi.MakeFieldSetter makes for values empties the field before it converts: a converter that fails costs the old value.
// breaks: DCL-0022 fail
#include "wrapped_global.h"

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIOpaquePtr && args[0].v_ptr) {
    TVMFFIAny old = *(TVMFFIAny*)args[0].v_ptr;
    *(TVMFFIAny*)args[0].v_ptr = (TVMFFIAny){0};
    if (old.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(old.v_obj);
  }
  return call_original(original, args, num_args, result);
}

static void release(void* original) { real.TVMFFIObjectDecRef(original); }

static int make_setter(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].v_int64 != -1) return code;
  TVMFFIObjectHandle wrapper;
  code = real.TVMFFIFunctionCreate(result->v_obj, set, release, &wrapper);
  if (code == 0) result->v_obj = wrapper;
  return code;
}

WRAPPED_GLOBAL("ffi.MakeFieldSetter", make_setter)
