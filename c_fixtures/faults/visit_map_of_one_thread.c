// story: ffi.StructuralMap works in a table of the process and refuses a second thread.
// breaks: VIS-0034 fail
#include "one_thread.h"

WRAPPED_GLOBAL("ffi.StructuralMap", one_at_a_time)
