// story: A value that is inserted into a List by an r-value reference is copied: the caller's slot keeps the object.
// breaks: ARG-0007 fail
#include "wrapped_global.h"

static int insert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[2].type_index != kTVMFFIObjectRValueRef || !*(TVMFFIObject**)args[2].v_ptr) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIObject* object = *(TVMFFIObject**)args[2].v_ptr;
  TVMFFIAny changed[3] = {args[0], args[1], {.type_index = object->type_index, .v_obj = object}};
  return call_original(original, changed, 3, result);
}

WRAPPED_GLOBALS(insert, "ffi.ListInsert", "ffi.ListSetItem")
