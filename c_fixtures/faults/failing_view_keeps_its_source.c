// story: A view for which the installed allocator has no memory has taken its reference to the source already, and keeps it.
// breaks: ALC-0014 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code != 0 && prototype && out && source && ((TVMFFIObject*)source)->type_index == kTVMFFITensor) {
    real.TVMFFIObjectIncRef(source);
  }
  return code;
}
