// story: Asking for the tensor allocator before one is set ends the process.
// breaks: ENV-0009 crash
#include "fault.h"

DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void) {
  DLPackManagedTensorAllocator allocator = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (allocator == NULL) abort();
  return allocator;
}
