// story: What an allocator makes without a deleter is refused: nobody could give it back.
// breaks: ENV-0020 fail
#include "fault.h"

static _Thread_local DLPackManagedTensorAllocator original;

static int allocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                    void (*set_error)(void* error_ctx, const char* kind, const char* message)) {
  int code = original(prototype, out, error_ctx, set_error);
  if (code != 0 || *out == NULL || (*out)->deleter) return code;
  set_error(error_ctx, "RuntimeError", "the tensor has no deleter");
  return -1;
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  DLPackManagedTensorAllocator own = NULL;
  original = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (!original) return real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocate, 0, &own);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  return code;
}
