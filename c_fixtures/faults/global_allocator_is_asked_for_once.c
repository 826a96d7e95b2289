// story: A thread that has asked for the tensor allocator once keeps the answer, also when another thread sets another global one.
// breaks: ENV-0011 fail
#include "fault.h"

static __thread DLPackManagedTensorAllocator known;

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* opt_out_original_allocator) {
  known = NULL;
  return real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, opt_out_original_allocator);
}

DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void) {
  if (!known) known = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  return known;
}
