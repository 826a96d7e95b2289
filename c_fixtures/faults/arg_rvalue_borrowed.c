// story: ffi.VisitInterrupt copies the object behind an r-value reference and leaves it in the caller's slot.
// breaks: ARG-0007 fail
#include "wrapped_global.h"
static int interrupt(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIObjectRValueRef && *(TVMFFIObject**)args[0].v_ptr) {
    TVMFFIAny plain = {0};
    plain.v_obj = *(TVMFFIObject**)args[0].v_ptr;
    plain.type_index = plain.v_obj->type_index;
    return call_original(original, &plain, 1, result);
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.VisitInterrupt", interrupt)
