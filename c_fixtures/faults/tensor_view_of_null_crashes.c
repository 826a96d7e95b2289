// story: A view is made without a look at the pointers that are given.
// breaks: TEN-0045 crash
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  (void)*(volatile int32_t*)&prototype->ndim;
  return real.TVMFFITensorCreateUnsafeView(source, prototype, out);
}
