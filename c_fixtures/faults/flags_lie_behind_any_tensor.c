// story: A versioned export has the flags that lie behind the tensor in the library's own class, whoever's class the Tensor is of.
// breaks: TEN-0025 fail
#include "fault.h"

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code != 0) return code;
  const uint64_t* behind = (const uint64_t*)((const DLTensor*)((const TVMFFIObject*)from + 1) + 1);
  /* In a class of a client's; where the library's own has its flags, the reference knows. */
  if (*behind == UINT64_MAX) (*out)->flags |= *behind & (DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED);
  return code;
}
