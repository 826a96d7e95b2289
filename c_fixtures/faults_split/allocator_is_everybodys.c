// story: The tensor allocator that is set for a thread is that of the process.
// breaks: SPL-0031 fail
#include "split_fault.h"

int TVMFFIEnvSetTensorAllocator(DLPackTensorAllocator allocator, int write_to_global_context,
                                DLPackTensorAllocator* opt_out_original_allocator) {
  (void)write_to_global_context;
  return real.TVMFFIEnvSetTensorAllocator(allocator, 1, opt_out_original_allocator);
}
