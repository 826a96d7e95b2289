// story: A library of 2025-09-25, with the names of the day; what it lacks of today's, the test adds.
// breaks: SYM-0001 fail
#include "fault.h"

__attribute__((visibility("default"))) int TVMFFIEnvSetTensorAllocator(DLPackManagedTensorAllocator allocator, int everywhere,
                                                                       DLPackManagedTensorAllocator* original) {
  return real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, everywhere, original);
}

__attribute__((visibility("default"))) DLPackManagedTensorAllocator TVMFFIEnvGetTensorAllocator(void) {
  return real.TVMFFIEnvGetDLPackManagedTensorAllocator();
}
