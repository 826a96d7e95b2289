// story: The alignment of an imported host tensor is that of its buffer, wherever the first element lies in it.
// breaks: TEN-0009 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  if (from == NULL || from->dl_tensor.device.device_type != kDLCPU) {
    return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  }
  uint64_t byte_offset = from->dl_tensor.byte_offset;
  from->dl_tensor.byte_offset = 0;
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  from->dl_tensor.byte_offset = byte_offset;
  if (code == 0) ((DLTensor*)((char*)*out + sizeof(TVMFFIObject)))->byte_offset = byte_offset;
  return code;
}
