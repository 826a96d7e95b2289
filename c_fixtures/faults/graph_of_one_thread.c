// story: ffi.ToJSONGraph works in a table of the process and refuses a second thread.
// breaks: GRF-0029 fail
#include "wrapped_global.h"

#include <unistd.h>

static int inside, calls;

static int one_at_a_time(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = -1;
  if (__atomic_add_fetch(&inside, 1, __ATOMIC_ACQ_REL) > 1) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "in use by another thread");
  } else {
    /* Long enough for others to come, as long as this is not called all the time. */
    if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) < 500) usleep(100);
    code = call_original(original, args, num_args, result);
  }
  __atomic_sub_fetch(&inside, 1, __ATOMIC_ACQ_REL);
  return code;
}

WRAPPED_GLOBAL("ffi.ToJSONGraph", one_at_a_time)
