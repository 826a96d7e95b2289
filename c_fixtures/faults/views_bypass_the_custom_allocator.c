// story: Views of tensors are made with the built-in allocator, whatever allocator is installed.
// breaks: ALC-0012 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  TVMFFICustomAllocator* installed = real.TVMFFIGetCustomAllocator();
  real.TVMFFISetCustomAllocator(NULL);
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (installed != real.TVMFFIGetCustomAllocator()) real.TVMFFISetCustomAllocator(installed);
  return code;
}
