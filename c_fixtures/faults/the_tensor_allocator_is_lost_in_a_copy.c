// story: The tensor allocator that a thread has set is kept for the process that it ran in: in the child of a fork the thread has none of its own.
// breaks: ENV-0010 fail
#include "fault.h"
#include <pthread.h>
static void in_child(void) {
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 0, NULL);
}
__attribute__((constructor)) static void at_load(void) { pthread_atfork(NULL, NULL, in_child); }
int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* opt_out_original_allocator) {
  return real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, opt_out_original_allocator);
}
