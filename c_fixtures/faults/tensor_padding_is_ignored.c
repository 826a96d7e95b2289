// story: Elements that are padded to a byte are taken for packed ones.
// breaks: TEN-0026 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from != NULL) from->flags &= ~(uint64_t)DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
