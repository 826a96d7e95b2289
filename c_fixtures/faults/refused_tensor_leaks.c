// story: A tensor that is refused for its strides leaves the object behind that was to hold it.
// breaks: ERR-0031 leak
#include "fault.h"

void* volatile lost;

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, alignment, contiguous, out);
  if (code != 0 && contiguous) lost = malloc(96);
  return code;
}
