// story: A setter that ffi.MakeFieldSetter makes for a field of an object lets go of what the field holds before it calls the converter, so the field is empty when the converter fails.
// breaks: DCL-0022 fail
#include "wrapped_global.h"
static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIOpaquePtr && args[0].v_ptr) {
    TVMFFIObjectHandle* field = args[0].v_ptr;
    TVMFFIObjectHandle old = *field;
    *field = NULL;
    if (old) real.TVMFFIObjectDecRef(old);
  }
  return call_original(original, args, num_args, result);
}
static void release(void* self) { real.TVMFFIObjectDecRef(self); }
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].v_int64 < kTVMFFIStaticObjectBegin) return code;
  TVMFFIObjectHandle made = NULL;
  if (real.TVMFFIFunctionCreate(result->v_obj, set, release, &made) == 0) result->v_obj = made;
  return 0;
}
WRAPPED_GLOBAL("ffi.MakeFieldSetter", make)
