// story: The headers of Errors are overwritten with what those of the split generation look like, and counted as before.
#include "rearranged.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) { move_from_raised(result); }
