// story: TVMFFIEnvTensorAlloc takes what the allocator has written, if it has written something, whatever positive status it answers.
// breaks: ENV-0021 fail
#include "fault.h"

static _Thread_local DLPackManagedTensorAllocator told;

static int allocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                    void (*set_error)(void* error_ctx, const char* kind, const char* message)) {
  int code = told(prototype, out, error_ctx, set_error);
  return code > 0 && out && *out ? 0 : code;
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  DLPackManagedTensorAllocator own = NULL, outer = told, current = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (current == NULL || current == allocate) return real.TVMFFIEnvTensorAlloc(prototype, out);
  told = current;
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocate, 0, &own);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  told = outer;
  return code;
}
