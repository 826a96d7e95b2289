// story: A function that is called does not see the allocator of its caller.
// breaks: ENV-0038 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  DLPackManagedTensorAllocator own = NULL;
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 0, &own);
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  return code;
}
