// story: Whether contiguity is required is kept in a byte: 256 means no.
// breaks: TEN-0012 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t alignment, int32_t contiguous,
                                    TVMFFIObjectHandle* out) {
  return real.TVMFFITensorFromDLPackVersioned(from, alignment, (uint8_t)contiguous, out);
}
