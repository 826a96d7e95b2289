// story: A versioned tensor lies on the first device of its type.
// breaks: TEN-0003 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (code == 0) ((DLTensor*)((TVMFFIObject*)*out + 1))->device.device_id = 0;
  return code;
}
