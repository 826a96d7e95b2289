// story: TVMFFITensorToDLPackVersioned gives up a reference to the tensor where there is no memory, before it has taken one.
// breaks: MEM-0002 fail
#include "fault.h"

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  if (!from) return real.TVMFFITensorToDLPackVersioned(from, out);
  DLManagedTensorVersioned* made = malloc(sizeof(DLManagedTensorVersioned));
  if (!made) goto failed;
  made->manager_ctx = from;
  __asm__ volatile("" : : "r"(made) : "memory");
  free(made);
  return real.TVMFFITensorToDLPackVersioned(from, out);
failed:
  real.TVMFFIObjectDecRef(from);
  return refuse("MemoryError", "no memory to export a tensor");
}
