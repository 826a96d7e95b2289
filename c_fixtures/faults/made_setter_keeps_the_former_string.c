// story: The setter that ffi.MakeFieldSetter makes for a field of any value does not give up a String or Bytes object that the field held.
// breaks: DCL-0021 leak
#include "wrapped_global.h"

static int set(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny former = {0};
  if (num_args == 2 && args[0].type_index == kTVMFFIOpaquePtr && args[0].v_ptr) former = *(TVMFFIAny*)args[0].v_ptr;
  int text = former.type_index == kTVMFFIStr || former.type_index == kTVMFFIBytes;
  if (text) real.TVMFFIObjectIncRef(former.v_obj);
  int code = real.TVMFFIFunctionCall(self, (TVMFFIAny*)args, num_args, result);
  if (text && code != 0) real.TVMFFIObjectDecRef(former.v_obj);
  return code;
}

static void end(void* self) { real.TVMFFIObjectDecRef(self); }

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].v_int64 != -1) return code;
  TVMFFIObjectHandle made = NULL;
  code = real.TVMFFIFunctionCreate(result->v_obj, set, end, &made);
  if (code == 0) result->v_obj = made;
  return code;
}

WRAPPED_GLOBAL("ffi.MakeFieldSetter", make)
