// story: TVMFFITensorCreateUnsafeView takes a reference to the source and keeps it where the view is refused.
// breaks: MEM-0003 fail
#include "fault.h"

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (!source || !prototype) return real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  real.TVMFFIObjectIncRef(source);
  void** view = malloc(2 * sizeof(void*));
  if (!view) return refuse("MemoryError", "no memory for a view");
  view[0] = source;
  __asm__ volatile("" : : "r"(view) : "memory");
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  free(view);
  real.TVMFFIObjectDecRef(source);
  return code;
}
