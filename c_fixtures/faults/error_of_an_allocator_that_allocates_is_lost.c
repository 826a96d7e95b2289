// story: The place for an allocator's error is one per thread and cleared by each allocation, so an allocator that itself allocates a tensor, with another one, and then fails loses its error.
// breaks: ENV-0022 fail
#include "raised_error.h"

static __thread int allocations;

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  const int own = ++allocations;
  const int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  if (code == 0 || own == allocations) return code;
  forget_raised();
  return refuse("RuntimeError", "TVMFFIEnvTensorAlloc: the allocator failed");
}

