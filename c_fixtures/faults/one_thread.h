/*
 * Faults in global functions that work in a table of the process:
 *
 *   WRAPPED_GLOBAL("ffi.DeepCopy", one_at_a_time)          refuses a thread while another one is in the function
 */
#ifndef TVM_FFI_ONE_THREAD_H_
#define TVM_FFI_ONE_THREAD_H_

#include "wrapped_global.h"

#include <unistd.h>

static int threads_inside, calls_made;

static inline int one_at_a_time(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = -1;
  if (__atomic_add_fetch(&threads_inside, 1, __ATOMIC_ACQ_REL) > 1) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "in use by another thread");
  } else {
    /* Long enough for others to come, as long as this is not called all the time. */
    if (__atomic_add_fetch(&calls_made, 1, __ATOMIC_RELAXED) < 500) usleep(100);
    code = call_original(original, args, num_args, result);
  }
  __atomic_sub_fetch(&threads_inside, 1, __ATOMIC_ACQ_REL);
  return code;
}

#endif /* TVM_FFI_ONE_THREAD_H_ */
