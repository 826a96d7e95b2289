// story: A versioned export holds no reference to its tensor.
// breaks: SPL-0028 fail
// breaks: SPL-0029 fail
#include "split_fault.h"

static void nothing(DLManagedTensorVersioned* self) { (void)self; }

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  static DLManagedTensorVersioned copy;
  DLManagedTensorVersioned* shared;
  int code = real.TVMFFITensorToDLPackVersioned(from, &shared);
  if (code != 0) return code;
  copy = *shared;
  copy.deleter = nothing;
  *out = &copy;
  shared->deleter(shared);
  return 0;
}
