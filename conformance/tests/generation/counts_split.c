// story: Errors look and are raised as those of the split generation, and are given up by nobody.
#include "rearranged.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) { move_from_raised(result); }

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  raised = NULL;
  raise_split(error);
}
