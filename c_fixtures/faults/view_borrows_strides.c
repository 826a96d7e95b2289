// story: A view copies the extents of its prototype, but points to the prototype's strides.
// breaks: TEN-0032 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0 && prototype->ndim > 0) ((DLTensor*)((TVMFFIObject*)*out + 1))->strides = prototype->strides;
  return code;
}
