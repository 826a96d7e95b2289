// story: ffi.Array that fails for an r-value reference that was moved already keeps the references to the objects in front of it.
// breaks: ARG-0001 fail

#include "wrapped_global.h"

static int array(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index != kTVMFFIObjectRValueRef || *(void**)args[i].v_ptr != NULL) continue;
    /* The cells are filled in place; size is set behind the loop, so nobody releases those that are there. */
    for (int32_t j = 0; j < i; ++j) {
      if (args[j].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[j].v_obj);
    }
    break;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.Array", array)
