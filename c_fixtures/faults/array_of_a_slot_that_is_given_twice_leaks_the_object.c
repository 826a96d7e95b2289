// story: ffi.Array moves its arguments into the new Array one by one; where a later one fails, as a slot that has been moved already does, the objects that were moved before are not given up.
// breaks: ARR-0022 fail
#include "wrapped_global.h"

static int array(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* moved = NULL;
  for (int32_t i = 0; i < num_args && !moved; ++i) {
    if (args[i].type_index == kTVMFFIObjectRValueRef && args[i].v_ptr) moved = *(TVMFFIObject**)args[i].v_ptr;
    for (int32_t j = i + 1; moved && j < num_args; ++j) {
      if (args[j].type_index == kTVMFFIObjectRValueRef && args[j].v_ptr == args[i].v_ptr) {
        /* The slot is found empty the second time. */
        real.TVMFFIObjectIncRef(moved);
        return call_original(original, args, num_args, result);
      }
    }
    moved = NULL;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.Array", array)
