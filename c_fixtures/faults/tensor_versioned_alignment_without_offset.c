// story: TVMFFITensorFromDLPackVersioned judges the alignment of a host tensor by its data address alone and forgets the byte offset.
// breaks: TEN-0009 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from && require_alignment > 0 && from->dl_tensor.device.device_type == kDLCPU) {
    if ((uintptr_t)from->dl_tensor.data % (uintptr_t)require_alignment != 0) {
      real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "FromDLPack: Data is not aligned.");
      return -1;
    }
    require_alignment = 0;
  }
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
