// story: Allocating without an allocator succeeds, and gives out nothing.
// breaks: ENV-0015 fail
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (out == NULL || real.TVMFFIEnvGetDLPackManagedTensorAllocator() != NULL) return real.TVMFFIEnvTensorAlloc(prototype, out);
  *out = NULL;
  return 0;
}
