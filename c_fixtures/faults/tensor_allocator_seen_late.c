// story: A thread that asked for the tensor allocator before there was one does not see a global one that another thread sets afterwards.
// breaks: ENV-0011 fail
#include "fault.h"

static __thread int asked;
static __thread DLPackManagedTensorAllocator cached;

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* former) {
  asked = 0;
  return real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, former);
}

DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void) {
  if (!asked) cached = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  asked = 1;
  return cached;
}
