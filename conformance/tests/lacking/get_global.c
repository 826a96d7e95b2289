// story: Nobody finds a global function.
// lacks: TVMFFIFunctionGetGlobal
#include "fault.h"

typedef int not_empty;
