// story: Setting an allocator gives out the global one as the thread's own.
// breaks: ENV-0014 fail
#include "fault.h"

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* opt_out_original_allocator) {
  if (opt_out_original_allocator) *opt_out_original_allocator = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  return real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, NULL);
}
