// story: A flag that the library does not know is left out of exports.
// breaks: TEN-0046 fail
#include "fault.h"

static const uint64_t known = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED |
                              DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from == NULL || (from->flags & ~known) == 0) {
    return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  }
  uint64_t flags = from->flags;
  from->flags &= known;
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  from->flags = flags;
  return code;
}
