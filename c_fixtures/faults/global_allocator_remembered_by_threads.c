// story: A thread without an allocator of its own looks the global one up at its first tensor and allocates with that ever after, though it has been replaced.
// breaks: ENV-0024 fail
#include "fault.h"

static __thread DLPackManagedTensorAllocator own, remembered;

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* original) {
  int code = real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, original);
  if (code == 0) own = allocator;
  return code;
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (own) return real.TVMFFIEnvTensorAlloc(prototype, out);
  DLPackManagedTensorAllocator global = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (!global) return real.TVMFFIEnvTensorAlloc(prototype, out);
  if (!remembered) remembered = global;
  if (remembered == global) return real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(remembered, 0, NULL);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 0, NULL);
  return code;
}
