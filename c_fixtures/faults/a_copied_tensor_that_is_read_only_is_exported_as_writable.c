// story: Whether an imported tensor is read-only is asked of its flags as a whole, so one that is marked as a copy too is exported without the mark.
// breaks: TEN-0042 fail
#include "fault.h"
int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (!from || from->version.major != 1 || (from->flags & 3) != 3) return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  from->flags &= ~(uint64_t)1;
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  from->flags |= 1;
  return code;
}
