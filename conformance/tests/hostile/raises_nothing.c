// story: Nothing is ever raised: there is no error to take.
#include "fault.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) { *result = NULL; }
