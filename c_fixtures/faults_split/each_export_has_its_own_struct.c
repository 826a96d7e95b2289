// story: TVMFFITensorToDLPackVersioned makes a struct for each export.
// breaks: SPL-0029 fail
#include "split_fault.h"

static void give_back(DLManagedTensorVersioned* self) {
  DLManagedTensorVersioned* shared = self->manager_ctx;
  free(self);
  shared->deleter(shared);
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  DLManagedTensorVersioned* shared;
  int code = real.TVMFFITensorToDLPackVersioned(from, &shared);
  if (code != 0) return code;
  *out = malloc(sizeof(**out));
  **out = *shared;
  (*out)->manager_ctx = shared;
  (*out)->deleter = give_back;
  return 0;
}
