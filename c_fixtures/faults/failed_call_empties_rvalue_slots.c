// story: After a call that has failed, the library releases what is still in the slots of r-value references among the arguments, as if they were moved in any case.
// breaks: FUN-0015 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int status = real.TVMFFIFunctionCall(func, args, num_args, result);
  for (int32_t i = 0; status && i < num_args; i++) {
    if (args[i].type_index != kTVMFFIObjectRValueRef) continue;
    TVMFFIObjectHandle* slot = args[i].v_ptr;
    if (!*slot) continue;
    TVMFFIObjectHandle object = *slot;
    *slot = NULL;
    real.TVMFFIObjectDecRef(object);
  }
  return status;
}
