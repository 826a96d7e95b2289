// story: Elements narrower than a byte are taken for bytes.
// breaks: TEN-0004 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code == 0 && ((DLTensor*)((TVMFFIObject*)*out + 1))->dtype.bits < 8) ((DLTensor*)((TVMFFIObject*)*out + 1))->dtype.bits = 8;
  return code;
}
