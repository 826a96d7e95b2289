// story: A view of a tensor that has a byte offset adds that to the prototype's.
// breaks: TEN-0031 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0) ((DLTensor*)((TVMFFIObject*)*out + 1))->byte_offset += ((DLTensor*)((TVMFFIObject*)source + 1))->byte_offset;
  return code;
}
