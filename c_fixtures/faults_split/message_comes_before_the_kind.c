// story: Errors with one message have that in the place of their kind.
// breaks: SPL-0016 fail
#include "split_fault.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  if (!*result || !is(&cell_of(*result)->message, "a message of some length")) return;
  TVMFFIByteArray kind = cell_of(*result)->kind;
  cell_of(*result)->kind = cell_of(*result)->message;
  cell_of(*result)->message = kind;
}
