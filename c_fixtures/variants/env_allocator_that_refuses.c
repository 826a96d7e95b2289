// story: Where no tensor allocator was set, TVMFFIEnvGetDLPackManagedTensorAllocator answers one that refuses every request with an error.
// admitted: ENV-0009 is a SHOULD (broken here); TVMFFIEnvTensorAlloc fails as ENV-0015 says, and ENV-0014 gives out what was set, not this one.
#include "fault.h"

static int refuses(DLTensor* prototype, DLManagedTensorVersioned** out, void* context, void (*set_error)(void*, const char*, const char*)) {
  (void)prototype, (void)out;
  set_error(context, "RuntimeError", "no tensor allocator has been set");
  return -1;
}

DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void) {
  const DLPackManagedTensorAllocator set = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  return set ? set : refuses;
}
