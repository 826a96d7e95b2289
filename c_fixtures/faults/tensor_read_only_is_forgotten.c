// story: A versioned export does not say that the tensor was imported as read-only.
// breaks: TEN-0042 fail
#include "fault.h"

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code == 0) (*out)->flags &= ~(uint64_t)DLPACK_FLAG_BITMASK_READ_ONLY;
  return code;
}
