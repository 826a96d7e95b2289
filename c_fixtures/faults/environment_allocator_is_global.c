// story: A tensor allocator is always set for the whole process, whether that was asked for or not.
// breaks: ENV-0010 fail
#include "fault.h"

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* opt_out_original_allocator) {
  (void)write_to_global_context;
  return real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, 1, opt_out_original_allocator);
}
