// story: A tensor that was imported without strides shows none.
// breaks: SPL-0030 fail
#include "split_fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t alignment, int32_t contiguous,
                                    TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, alignment, contiguous, out);
  if (code == 0 && !from->dl_tensor.strides) ((DLTensor*)((TVMFFIObject*)*out + 1))->strides = NULL;
  return code;
}
