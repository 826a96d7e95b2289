// story: A tensor allocator is always that of one thread alone.
// breaks: ENV-0011 fail
#include "fault.h"

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* opt_out_original_allocator) {
  (void)write_to_global_context;
  return real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, 0, opt_out_original_allocator);
}
