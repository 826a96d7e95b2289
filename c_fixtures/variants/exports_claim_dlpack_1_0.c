// story: Versioned exports say that they are of DLPack 1.0, unless they are marked as padded.
// admitted: TEN-0023: "names the major version of DLPack whose layout it has: 1"; the minor version (TEN-0024) is observed, and an export with strides and the first two flags is right by 1.0.
#include "fault.h"

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code == 0 && !((*out)->flags & ~(uint64_t)3)) (*out)->version.minor = 0;
  return code;
}
