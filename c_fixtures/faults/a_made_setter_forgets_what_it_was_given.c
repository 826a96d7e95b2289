// story: The functions of ffi.MakeFieldSetter hold a value that is given away to them until it is in the field, and forget it when the converter or the field refuses.
// breaks: ARG-0001 fail
#include "wrapped_global.h"

static int set(void* setter, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_moved = num_args == 2 && args[1].type_index == kTVMFFIObjectRValueRef;
  TVMFFIObject* moved = is_moved ? *(TVMFFIObject**)args[1].v_ptr : NULL;
  if (moved != NULL) real.TVMFFIObjectIncRef(moved);
  int code = call_original(setter, args, num_args, result);
  if (moved != NULL && code == 0) real.TVMFFIObjectDecRef(moved);
  return code;
}

static void end(void* setter) { real.TVMFFIObjectDecRef(setter); }

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle wrapper = NULL;
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIFunction) return code;
  if (real.TVMFFIFunctionCreate(result->v_obj, set, end, &wrapper) != 0) return -1;
  result->v_obj = wrapper;
  return 0;
}

WRAPPED_GLOBAL("ffi.MakeFieldSetter", make)
