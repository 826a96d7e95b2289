// story: TVMFFIEnvTensorAlloc remembers for each thread the global allocator that it used first, and goes on with it when another thread sets another.
// breaks: ENV-0024 fail
#include "fault.h"
static __thread DLPackManagedTensorAllocator own, remembered;
int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context, DLPackManagedTensorAllocator* original) {
  int code = real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, original);
  if (code == 0) { own = allocator; remembered = NULL; }
  return code;
}
int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (own) return real.TVMFFIEnvTensorAlloc(prototype, out);
  if (!remembered) remembered = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (!remembered) return real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(remembered, 0, NULL);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 0, NULL);
  return code;
}
