// story: A view is made by way of an unversioned export of its source, which has no flags, so the view of a read-only tensor can be written.
// breaks: TEN-0042 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  DLManagedTensor* exported = NULL;
  TVMFFIObjectHandle between = NULL;
  if (!source || ((TVMFFIObject*)source)->type_index != kTVMFFITensor || real.TVMFFITensorToDLPack(source, &exported) != 0) {
    return real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  }
  int code = real.TVMFFITensorFromDLPack(exported, 0, 0, &between);
  if (code != 0) {
    exported->deleter(exported);
    return code;
  }
  code = real.TVMFFITensorCreateUnsafeView(between, prototype, out);
  real.TVMFFIObjectDecRef(between);
  return code;
}
