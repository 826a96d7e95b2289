// story: A versioned tensor with padded narrow elements is refused after it was taken over: its deleter runs.
// breaks: TEN-0016 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous,
                                    TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (code != 0 && from && (from->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) && from->deleter) from->deleter(from);
  return code;
}
