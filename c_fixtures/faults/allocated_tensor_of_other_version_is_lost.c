// story: What an allocator makes with another major version of DLPack is refused and not given back.
// breaks: ENV-0036 fail
#include "fault.h"

/* What the thread had set for itself, and the allocator that is used, while a tensor is being made. */
static _Thread_local DLPackManagedTensorAllocator own, used;

static void forget(DLManagedTensorVersioned* managed) { (void)managed; }

static int allocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx, void (*set_error)(void*, const char*, const char*)) {
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  int code = used(prototype, out, error_ctx, set_error);
  if (code == 0 && *out && (*out)->version.major != DLPACK_MAJOR_VERSION) (*out)->deleter = forget;
  return code;
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  DLPackManagedTensorAllocator found = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (!found || !prototype || !out) return real.TVMFFIEnvTensorAlloc(prototype, out);
  used = found;
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocate, 0, &own);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  if (real.TVMFFIEnvGetDLPackManagedTensorAllocator() == allocate) real.TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  return code;
}
