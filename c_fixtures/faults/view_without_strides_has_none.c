// story: A view by a prototype without strides has none, though it has dimensions.
// breaks: TEN-0048 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0 && prototype->ndim > 0 && prototype->strides == NULL) {
    ((DLTensor*)((TVMFFIObject*)*out + 1))->strides = NULL;
  }
  return code;
}
