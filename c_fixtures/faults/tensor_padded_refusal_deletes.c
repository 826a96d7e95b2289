// story: A versioned import that is refused for the flag of padded narrow elements calls the managed tensor's deleter.
// breaks: TEN-0016 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (code != 0 && from && (from->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) && from->deleter) from->deleter(from);
  return code;
}
