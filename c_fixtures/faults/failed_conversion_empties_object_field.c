// story: The setter of an object field gives up what the field holds before it converts the new value: if that fails, the field is NULL.
// breaks: DCL-0022 fail
#include "wrapped_global.h"

static int set(void* setter, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(setter, (TVMFFIAny*)args, num_args, result);
  if (code == 0 || num_args != 2 || args[0].type_index != kTVMFFIOpaquePtr) return code;
  TVMFFIObject** field = args[0].v_ptr;
  TVMFFIObject* held = *field;
  *field = NULL;
  if (held) real.TVMFFIObjectDecRef(held);
  return code;
}

static void end(void* setter) { real.TVMFFIObjectDecRef(setter); }

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].v_int64 < kTVMFFIStaticObjectBegin) return code;
  TVMFFIObjectHandle made = NULL;
  code = real.TVMFFIFunctionCreate(result->v_obj, set, end, &made);
  if (code == 0) result->v_obj = made;
  return code;
}

WRAPPED_GLOBAL("ffi.MakeFieldSetter", make)
