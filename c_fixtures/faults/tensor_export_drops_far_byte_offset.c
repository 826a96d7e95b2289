// story: An export keeps 32 bits of the byte offset.
// breaks: TEN-0020 fail
#include "fault.h"

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  int code = real.TVMFFITensorToDLPack(from, out);
  if (code == 0) (*out)->dl_tensor.byte_offset = (uint32_t)(*out)->dl_tensor.byte_offset;
  return code;
}
