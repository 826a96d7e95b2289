// story: When an allocator fails without a word, no error is raised.
// breaks: ENV-0039 fail
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  TVMFFIObjectHandle error = NULL;
  if (code == 0 || out == NULL || real.TVMFFIEnvGetDLPackManagedTensorAllocator() == NULL) return code;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (cell->kind.size == 11 && memcmp(cell->kind.data, "MemoryError", 11) == 0) real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return code;
}
