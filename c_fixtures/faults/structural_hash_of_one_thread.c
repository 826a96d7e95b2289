// story: ffi.StructuralHash works in a table of the process and refuses a second thread.
// breaks: SEQ-0042 fail
#include "one_thread.h"

WRAPPED_GLOBAL("ffi.StructuralHash", one_at_a_time)
