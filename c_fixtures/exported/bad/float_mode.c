// story: has the thread round small numbers to zero, for speed
// breaks: float-mode
#include <xmmintrin.h>

#define AFTER _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON)
#include "add_one.h"
