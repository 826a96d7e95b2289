// story: A Tensor that comes from DLPack or an allocator has lost its dimensions.
#include "fault.h"

static int flatten(int code, TVMFFIObjectHandle* out) {
  if (code == 0) ((DLTensor*)((TVMFFIObject*)*out + 1))->ndim = 0;
  return code;
}
int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  return flatten(real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out), out);
}
int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  return flatten(real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out), out);
}
int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  return flatten(real.TVMFFIEnvTensorAlloc(prototype, out), out);
}
