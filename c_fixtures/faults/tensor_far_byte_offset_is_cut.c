// story: An import keeps 32 bits of the byte offset.
// breaks: TEN-0002 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code == 0) ((DLTensor*)((TVMFFIObject*)*out + 1))->byte_offset = (uint32_t)((DLTensor*)((TVMFFIObject*)*out + 1))->byte_offset;
  return code;
}
