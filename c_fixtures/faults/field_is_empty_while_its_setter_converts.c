// story: The setter that ffi.MakeFieldSetter makes for a field of objects takes the field's object out while it calls the converter, and puts it back where that fails, whatever is there by then.
// breaks: DCL-0022 fail
#include "wrapped_global.h"

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIOpaquePtr || !args[0].v_ptr) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIObjectHandle* field = args[0].v_ptr;
  TVMFFIObjectHandle former = *field;
  *field = NULL;
  int code = call_original(original, args, num_args, result);
  if (code != 0) {
    *field = former;
  } else if (former) {
    real.TVMFFIObjectDecRef(former);
  }
  return code;
}

static void release(void* original) { real.TVMFFIObjectDecRef(original); }

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  TVMFFIObjectHandle made = NULL;
  if (code != 0 || args[0].v_int64 < kTVMFFIStaticObjectBegin) return code;
  code = real.TVMFFIFunctionCreate(result->v_obj, set, release, &made);
  if (code == 0) result->v_obj = made;
  return code;
}

WRAPPED_GLOBAL("ffi.MakeFieldSetter", make)
