// story: A versioned export of a tensor that was imported as a copy says that it is a copy.
// breaks: TEN-0025 fail
#include "fault.h"

static const void* copied;

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (code == 0) copied = from->flags & DLPACK_FLAG_BITMASK_IS_COPIED ? *out : NULL;
  return code;
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code == 0 && from == copied) (*out)->flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
  return code;
}
