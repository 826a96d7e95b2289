// story: TVMFFITensorFromDLPack calls the deleter of the tensor that it has no memory to take over.
// breaks: MEM-0002 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  if (!from || from->dl_tensor.ndim < 0) return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  int64_t* strides = malloc(sizeof(int64_t) * (from->dl_tensor.ndim + 1));
  if (!strides) {
    if (from->deleter) from->deleter(from);
    return refuse("MemoryError", "no memory for a tensor");
  }
  strides[from->dl_tensor.ndim] = 1;
  __asm__ volatile("" : : "r"(strides) : "memory");
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  free(strides);
  return code;
}
