// story: A thread that has taken its tensor allocator away counts as one that has set one, and does not come to the global one any more.
// breaks: ENV-0013 fail
#include "fault.h"
static __thread int hidden;
int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int global, DLPackManagedTensorAllocator* old) {
  int code = real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, global, old);
  if (code == 0) hidden = !allocator && !global;
  return code;
}
DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void) {
  return hidden ? NULL : real.TVMFFIEnvGetDLPackManagedTensorAllocator();
}
int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (hidden) return refuse("RuntimeError", "TVMFFIEnvTensorAlloc: allocator is nullptr");
  return real.TVMFFIEnvTensorAlloc(prototype, out);
}
