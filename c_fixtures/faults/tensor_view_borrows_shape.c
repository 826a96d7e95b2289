// story: A view refers to the shape and strides of its prototype instead of copying them.
// breaks: TEN-0032 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0) {
    DLTensor* view = (DLTensor*)((char*)*out + sizeof(TVMFFIObject));
    view->shape = prototype->shape;
    view->strides = prototype->strides;
  }
  return code;
}
