// story: ffi.DictSetItem takes a value that comes as an r-value reference by a reference of its own and leaves the caller's slot filled.
// breaks: ARG-0007 fail
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[2].type_index != kTVMFFIObjectRValueRef) return call_original(original, args, num_args, result);
  TVMFFIObject** slot = args[2].v_ptr;
  if (!*slot) return call_original(original, args, num_args, result);
  TVMFFIAny copy[3] = {args[0], args[1], {0}};
  copy[2].type_index = (*slot)->type_index;
  copy[2].v_obj = *slot;
  return call_original(original, copy, 3, result);
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
