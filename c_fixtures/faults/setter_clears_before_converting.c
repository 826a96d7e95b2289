// story: A setter of ffi.MakeFieldSetter for a value gives up what the field held before it asks the converter, so the field is None when that fails.
// breaks: DCL-0022 fail
#include "wrapped_global.h"

static void give_back(void* self) { real.TVMFFIObjectDecRef(self); }

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 2 && args[0].type_index == kTVMFFIOpaquePtr) {
    TVMFFIAny* field = args[0].v_ptr;
    TVMFFIAny former = *field;
    memset(field, 0, sizeof *field);
    if (former.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(former.v_obj);
  }
  return code;
}

static int make_setter(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].v_int64 != -1) return code;
  TVMFFIObjectHandle wrapper;
  if ((code = real.TVMFFIFunctionCreate(result->v_obj, set, give_back, &wrapper)) == 0) result->v_obj = wrapper;
  return code;
}

WRAPPED_GLOBAL("ffi.MakeFieldSetter", make_setter)
