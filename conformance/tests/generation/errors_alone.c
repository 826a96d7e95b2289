// story: Errors are those of the split generation in all that they show, and every other object is one of today's.
#include "rearranged.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) { move_from_raised(result); }

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) { raise_split(error); }
