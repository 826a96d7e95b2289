// story: A thread without a tensor allocator of its own keeps the global one that it saw first, whatever is set later by another.
// breaks: ENV-0011 fail

#include "fault.h"

static _Thread_local int has_own;
static _Thread_local DLPackManagedTensorAllocator seen;

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* former) {
  has_own = allocator != NULL;
  seen = NULL;
  return real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, former);
}

DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void) {
  if (has_own) return real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (!seen) seen = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  return seen;
}
