// story: TVMFFITensorToDLPack adds the byte offset to the data address and exports an offset of zero.
// breaks: TEN-0020 fail
#include "fault.h"
int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  int code = real.TVMFFITensorToDLPack(from, out);
  if (code == 0 && (*out)->dl_tensor.data) {
    (*out)->dl_tensor.data = (char*)(*out)->dl_tensor.data + (*out)->dl_tensor.byte_offset;
    (*out)->dl_tensor.byte_offset = 0;
  }
  return code;
}
