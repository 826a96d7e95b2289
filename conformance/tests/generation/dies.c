// story: Errors look as those of the split generation, and to raise one ends the process.
#include "rearranged.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) { move_from_raised(result); }

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  (void)error;
  abort();
}
