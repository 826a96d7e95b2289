// story: While this thread's own allocator is at work, a tensor that it asks for itself comes from the global one.
// breaks: ENV-0022 fail
#include "fault.h"
static __thread int depth;
int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  DLPackManagedTensorAllocator own = NULL;
  int nested = depth > 0;
  if (nested) real.TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 0, &own);
  ++depth;
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  --depth;
  if (nested) real.TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  return code;
}
