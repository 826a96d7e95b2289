// story: The setter that ffi.MakeFieldSetter makes for a field of an object gives up what the field held before it has the value converted: when that fails the field is empty.
// breaks: DCL-0022 fail
#include "wrapped_global.h"
static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 2 && args[0].type_index == kTVMFFIOpaquePtr) {
    TVMFFIObjectHandle* field = args[0].v_ptr;
    TVMFFIObjectHandle held = *field;
    *field = NULL;
    if (held) real.TVMFFIObjectDecRef(held);
  }
  return code;
}
static void end(void* original) { real.TVMFFIObjectDecRef(original); }
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIInt || args[0].v_int64 < kTVMFFIStaticObjectBegin) return code;
  return real.TVMFFIFunctionCreate(result->v_obj, set, end, (TVMFFIObjectHandle*)&result->v_obj);
}
WRAPPED_GLOBAL("ffi.MakeFieldSetter", make)
