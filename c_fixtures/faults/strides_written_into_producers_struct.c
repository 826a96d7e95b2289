// story: Row-major strides that an import makes up are written into the producer's managed tensor, too, which is handed back to its deleter with them.
// breaks: TEN-0017 fail
#include "fault.h"

static void fill_in(DLTensor* from, TVMFFIObjectHandle tensor) {
  DLTensor* made = (DLTensor*)((TVMFFIObject*)tensor + 1);
  if (from->ndim > 0 && !from->strides) from->strides = made->strides;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, alignment, contiguous, out);
  if (code == 0) fill_in(&from->dl_tensor, *out);
  return code;
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, alignment, contiguous, out);
  if (code == 0) fill_in(&from->dl_tensor, *out);
  return code;
}
