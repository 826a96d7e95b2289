// story: A versioned tensor without dimensions is imported whatever its alignment is, as one without elements.
// breaks: TEN-0008 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous,
                                    TVMFFIObjectHandle* out) {
  if (from && from->version.major == 1 && from->dl_tensor.ndim == 0) require_alignment = 0;
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
