// story: A global allocator that another thread sets later is used although this thread has one of its own.
// breaks: ENV-0024 fail
#include "fault.h"
static int64_t times, global_time;
static __thread int64_t own_time;
int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int global, DLPackManagedTensorAllocator* old) {
  int code = real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, global, old);
  if (code != 0) return code;
  own_time = __atomic_add_fetch(&times, 1, __ATOMIC_ACQ_REL);
  if (global) __atomic_store_n(&global_time, own_time, __ATOMIC_RELEASE);
  return 0;
}
int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (own_time == 0 || own_time >= __atomic_load_n(&global_time, __ATOMIC_ACQUIRE)) return real.TVMFFIEnvTensorAlloc(prototype, out);
  DLPackManagedTensorAllocator own = NULL;
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 0, &own);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  return code;
}
