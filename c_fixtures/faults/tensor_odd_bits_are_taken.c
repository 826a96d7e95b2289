// story: Four-bit floats are imported whatever their number of bits.
// breaks: TEN-0044 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  if (from == NULL || from->dl_tensor.dtype.code != kDLFloat4_e2m1fn) {
    return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  }
  uint8_t bits = from->dl_tensor.dtype.bits;
  from->dl_tensor.dtype.bits = 4;
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  from->dl_tensor.dtype.bits = bits;
  if (code == 0) ((DLTensor*)((TVMFFIObject*)*out + 1))->dtype.bits = bits;
  return code;
}
