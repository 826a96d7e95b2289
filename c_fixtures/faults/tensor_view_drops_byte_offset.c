// story: A view of a tensor without dimensions begins where the buffer begins.
// breaks: TEN-0031 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0 && prototype->ndim == 0) ((DLTensor*)((TVMFFIObject*)*out + 1))->byte_offset = 0;
  return code;
}
