// story: The version of an export is left as it was.
// breaks: TEN-0023 fail
#include "fault.h"

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code == 0) (*out)->version.major = 0;
  return code;
}
