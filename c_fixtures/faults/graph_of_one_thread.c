// story: ffi.ToJSONGraph works in a table of the process and refuses a second thread.
// breaks: GRF-0029 fail
#include "one_thread.h"

WRAPPED_GLOBAL("ffi.ToJSONGraph", one_at_a_time)
