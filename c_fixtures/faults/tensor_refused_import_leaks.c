// story: An import that is refused keeps the memory that it had made room for.
// breaks: TEN-0037 leak
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code != 0) lose(72);
  return code;
}
