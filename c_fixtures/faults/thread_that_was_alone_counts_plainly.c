// story: Each thread finds out once whether it is alone in the process, and if it was, counts without atomic operations from then on.
// breaks: OBJ-0018 fail
// chance: Threads lose counts when they meet.
#include "fault.h"

#include <sched.h>
#include <sys/single_threaded.h>

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  static __thread int alone = -1;
  if (alone < 0) alone = __libc_single_threaded;
  if (!alone || !obj) return real.TVMFFIObjectIncRef(obj);
  volatile uint64_t* count = &((TVMFFIObject*)obj)->combined_ref_count;
  uint64_t before = *count;
  if (before % 64 == 0) sched_yield();
  *count = before + 1;
  return 0;
}
