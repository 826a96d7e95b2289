// story: An import looks at the dimensions of a tensor before it looks at the version.
// breaks: TEN-0043 crash
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from != NULL) (void)*(volatile int32_t*)&from->dl_tensor.ndim;
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
