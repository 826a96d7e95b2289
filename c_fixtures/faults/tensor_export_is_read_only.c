// story: Every versioned export is marked as read-only.
// breaks: TEN-0025 fail
#include "fault.h"

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code == 0) (*out)->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  return code;
}
