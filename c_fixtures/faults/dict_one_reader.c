// story: ffi.DictCount refuses a thread while another one is asking.
// breaks: DCT-0036 fail
#include "one_thread.h"

WRAPPED_GLOBAL("ffi.DictCount", one_at_a_time)
