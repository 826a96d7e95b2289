// story: TVMFFITensorCreateUnsafeView asks for strides without a look at the number of dimensions.
// breaks: TEN-0031 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (prototype == NULL || prototype->strides != NULL) return real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  real.TVMFFIErrorSetRaisedFromCStr("ValueError", "The prototype has no strides");
  return -1;
}
