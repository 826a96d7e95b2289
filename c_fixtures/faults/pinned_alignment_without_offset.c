// story: For pinned host memory the alignment of the data alone is checked, and not that of data and offset.
// breaks: TEN-0009 fail
#include "fault.h"
static int lies(const DLTensor* t, int32_t* alignment) {
  if (*alignment <= 1 || !t->byte_offset) return 0;
  if (t->device.device_type != kDLCUDAHost && t->device.device_type != kDLROCMHost) return 0;
  for (int i = 0; i < t->ndim; ++i) if (t->shape[i] == 0) return 0;
  if ((uintptr_t)t->data % (uintptr_t)*alignment) return refuse("RuntimeError", "FromDLPack: Data is not aligned.");
  *alignment = 0;
  return 0;
}
int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  if (from && lies(&from->dl_tensor, &alignment)) return -1;
  return real.TVMFFITensorFromDLPack(from, alignment, contiguous, out);
}
int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  if (from && from->version.major == 1 && lies(&from->dl_tensor, &alignment)) return -1;
  return real.TVMFFITensorFromDLPackVersioned(from, alignment, contiguous, out);
}
