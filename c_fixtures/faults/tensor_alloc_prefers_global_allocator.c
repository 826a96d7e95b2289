// story: TVMFFIEnvTensorAlloc asks the allocator of the whole process even on a thread that has one of its own.
// breaks: ENV-0024 fail
#include "fault.h"

static DLPackManagedTensorAllocator global;

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context, DLPackManagedTensorAllocator* opt_out_original_allocator) {
  int code = real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, opt_out_original_allocator);
  if (code == 0 && write_to_global_context) __atomic_store_n(&global, allocator, __ATOMIC_RELEASE);
  return code;
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  DLPackManagedTensorAllocator own = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  DLPackManagedTensorAllocator of_all = __atomic_load_n(&global, __ATOMIC_ACQUIRE);
  if (!of_all || !own || own == of_all) return real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(of_all, 0, NULL);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  return code;
}
