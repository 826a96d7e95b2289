// story: ffi.ListInsert takes a reference of its own to the object of an r-value reference, where ffi.ListAppend takes the caller's.
// breaks: ARG-0007 fail
#include "wrapped_global.h"

static int insert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[2].type_index != kTVMFFIObjectRValueRef || !*(TVMFFIObject**)args[2].v_ptr) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny changed[3] = {args[0], args[1], {0}};
  changed[2].v_obj = *(TVMFFIObject**)args[2].v_ptr;
  changed[2].type_index = changed[2].v_obj->type_index;
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListInsert", insert)
