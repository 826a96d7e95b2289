// story: Where memory is refused after the allocator has made its tensor, TVMFFIEnvTensorAlloc raises an error and does not give the tensor back.
// breaks: MEM-0003 fail
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  TVMFFIObjectHandle made = NULL;
  if (!out) return real.TVMFFIEnvTensorAlloc(prototype, out);
  const int code = real.TVMFFIEnvTensorAlloc(prototype, &made);
  if (code != 0) return code;
  /* What was asked for, to compare it with what has come. */
  int64_t* wanted = malloc((prototype->ndim + 1) * sizeof(int64_t));
  __asm__ volatile("" : "+r"(wanted));
  if (!wanted) return refuse("MemoryError", "no memory for the extents");
  if (prototype->ndim > 0) memcpy(wanted, prototype->shape, prototype->ndim * sizeof(int64_t));
  *out = made;
  free(wanted);
  return 0;
}
