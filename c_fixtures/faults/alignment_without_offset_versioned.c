// story: The alignment of a versioned host tensor is judged by its data address alone; that of an old one with its byte offset.
// breaks: TEN-0009 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous,
                                    TVMFFIObjectHandle* out) {
  if (!from || require_alignment == 0 || from->dl_tensor.device.device_type != kDLCPU)
    return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  uint64_t offset = from->dl_tensor.byte_offset;
  from->dl_tensor.byte_offset = 0;
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  from->dl_tensor.byte_offset = offset;
  if (code == 0) ((DLTensor*)((TVMFFIObject*)*out + 1))->byte_offset = offset;
  return code;
}
