// story: ffi.DeepCopy works in a table of the process and refuses a second thread.
// breaks: REC-0038 fail
#include "one_thread.h"

WRAPPED_GLOBAL("ffi.DeepCopy", one_at_a_time)
