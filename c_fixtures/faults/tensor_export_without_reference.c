// story: An exported DLManagedTensor is a copy of the fields that keeps nothing alive.
// breaks: TEN-0022 fail
#include "fault.h"

static void free_copy(DLManagedTensor* self) { free(self); }

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  DLManagedTensor* exported;
  int code = real.TVMFFITensorToDLPack(from, &exported);
  if (code != 0) return code;
  DLManagedTensor* copy = malloc(sizeof(DLManagedTensor));
  *copy = (DLManagedTensor){exported->dl_tensor, NULL, free_copy};
  exported->deleter(exported);
  *out = copy;
  return 0;
}
