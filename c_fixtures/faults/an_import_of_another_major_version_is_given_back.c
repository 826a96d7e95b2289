// story: TVMFFITensorFromDLPackVersioned calls the deleter of a managed tensor that it refuses for its major version, as DLPack would have consumers do, though a failed import leaves it to its caller.
// breaks: TEN-0016 fail
#include "fault.h"
int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous,
                                    TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (code != 0 && from && from->version.major != 1 && from->deleter) from->deleter(from);
  return code;
}
