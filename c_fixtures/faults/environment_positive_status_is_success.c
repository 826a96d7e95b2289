// story: An allocator has failed only if it answers a negative number.
// breaks: ENV-0021 fail
#include "fault.h"

static _Thread_local DLPackManagedTensorAllocator original;
static _Thread_local int status;

static int allocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                    void (*set_error)(void* error_ctx, const char* kind, const char* message)) {
  return status = original(prototype, out, error_ctx, set_error);
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  DLPackManagedTensorAllocator own = NULL;
  original = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (!original) return real.TVMFFIEnvTensorAlloc(prototype, out);
  status = 0;
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocate, 0, &own);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  return status > 0 ? 0 : code;
}
