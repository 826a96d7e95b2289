// story: TVMFFITensorToDLPackVersioned takes the reference for the export first, and keeps it where there is no memory for the managed tensor.
// breaks: MEM-0003 fail
#include "fault.h"

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  if (!from || !out || ((TVMFFIObject*)from)->type_index != kTVMFFITensor) return real.TVMFFITensorToDLPackVersioned(from, out);
  real.TVMFFIObjectIncRef(from);
  DLManagedTensorVersioned* form = calloc(1, sizeof(DLManagedTensorVersioned));
  __asm__ volatile("" : "+r"(form));
  if (!form) return refuse("MemoryError", "no memory for a managed tensor");
  form->manager_ctx = from;
  const int code = real.TVMFFITensorToDLPackVersioned(form->manager_ctx, out);
  free(form);
  real.TVMFFIObjectDecRef(from);
  return code;
}
