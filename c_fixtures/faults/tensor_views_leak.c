// story: A view leaves the copy of its shape behind.
// breaks: TEN-0041 leak
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0) lose(48);
  return code;
}
