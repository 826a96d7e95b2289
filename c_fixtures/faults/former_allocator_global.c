// story: A thread that had no tensor allocator of its own is told the global one as the one it replaces.
// breaks: ENV-0014 fail
#include "fault.h"

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* former) {
  DLPackManagedTensorAllocator used = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  int code = real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, former);
  if (code == 0 && former) *former = used;
  return code;
}
