// story: ffi.ArrayContains leaves at the first element that equals; a value that was moved in is given up only behind the loop.
// breaks: ARG-0007 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* moved = NULL;
  if (num_args == 2 && args[1].type_index == kTVMFFIObjectRValueRef && args[1].v_ptr) moved = *(TVMFFIObject**)args[1].v_ptr;
  if (moved) real.TVMFFIObjectIncRef(moved);
  int code = call_original(original, args, num_args, result);
  if (moved && (code != 0 || !result->v_int64)) real.TVMFFIObjectDecRef(moved);
  return code;
}
WRAPPED_GLOBAL("ffi.ArrayContains", contains)
