// story: A setter of ffi.MakeFieldSetter keeps what its converter has made where the field refuses it.
// breaks: DCL-0022 fail
#include "wrapped_global.h"

static int set(void* setter, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(setter, args, num_args, result);
  /* The converter has made another reference of the object that it was given. */
  if (code != 0 && num_args == 2 && args[1].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[1].v_obj);
  return code;
}

static void let_go(void* setter) { real.TVMFFIObjectDecRef(setter); }

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny made = {0};
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  TVMFFIObjectHandle wrapper = NULL;
  code = real.TVMFFIFunctionCreate(made.v_obj, set, let_go, &wrapper);
  if (code == 0) *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = wrapper};
  return code;
}

WRAPPED_GLOBAL("ffi.MakeFieldSetter", make)
