// story: A view has room for eight strides of its own, and with more dimensions shows those of the prototype itself.
// breaks: TEN-0032 fail
#include "fault.h"
int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0 && prototype->ndim > 8) ((DLTensor*)((TVMFFIObject*)*out + 1))->strides = prototype->strides;
  return code;
}
