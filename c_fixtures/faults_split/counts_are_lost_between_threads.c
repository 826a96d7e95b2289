// story: TVMFFIObjectIncRef reads the strong count and writes one more, so that what other threads count meanwhile is lost.
// breaks: SPL-0014 fail
// chance: Threads meet or do not.
#include "split_fault.h"

#include <sched.h>

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  static __thread unsigned calls;
  uint64_t* strong = &((TVMFFIObject*)obj)->strong_ref_count;
  uint64_t count = __atomic_load_n(strong, __ATOMIC_RELAXED);
  if (++calls % 16 == 0) sched_yield();
  __atomic_store_n(strong, count + 1, __ATOMIC_RELAXED);
  return 0;
}
