// story: The message that a tensor allocator reports is kept in a buffer of 256 bytes.
// breaks: ENV-0022 fail
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  if (code == 0) return 0;
  TVMFFIObjectHandle error = NULL, shorter;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (cell->message.size > 255) {
    TVMFFIByteArray message = {cell->message.data, 255};
    if (real.TVMFFIErrorCreate(&cell->kind, &message, &cell->backtrace, &shorter) == 0) {
      real.TVMFFIObjectDecRef(error);
      error = shorter;
    }
  }
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return code;
}
