// story: A function that is given an object for good takes another reference, and leaves the caller's.
// breaks: ARG-0007 fail
#include "wrapped_global.h"

static int array(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny lent[8];
  for (int32_t i = 0; i < num_args && num_args <= 8; ++i) {
    if (args[i].type_index != kTVMFFIObjectRValueRef) continue;
    TVMFFIObject* object = *(TVMFFIObject**)args[i].v_ptr;
    if (object == NULL) break;
    memcpy(lent, args, (size_t)num_args * sizeof(TVMFFIAny));
    lent[i] = (TVMFFIAny){.type_index = object->type_index, .v_obj = object};
    return call_original(original, lent, num_args, result);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.Array", array)
