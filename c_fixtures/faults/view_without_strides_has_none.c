// story: A view by a prototype without strides has none, though it has dimensions.
// breaks: TEN-0048 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int64_t strides[8] = {0};
  if (!source || !prototype || !out || prototype->strides || prototype->ndim < 1 || prototype->ndim > 8) {
    return real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  }
  DLTensor changed = *prototype;
  changed.strides = strides;
  int code = real.TVMFFITensorCreateUnsafeView(source, &changed, out);
  if (code == 0) ((DLTensor*)((TVMFFIObject*)*out + 1))->strides = NULL;
  return code;
}
