// story: A view copies up to eight extents and strides; one of more dimensions goes on to use the arrays of its prototype.
// breaks: TEN-0032 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0 && prototype->ndim > 8) {
    DLTensor* tensor = (DLTensor*)((TVMFFIObject*)*out + 1);
    tensor->shape = prototype->shape;
    tensor->strides = prototype->strides;
  }
  return code;
}
