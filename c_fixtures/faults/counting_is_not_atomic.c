// story: TVMFFIObjectIncRef reads the count and writes it back, one more.
// breaks: OBJ-0018 fail
// chance: Threads lose counts when they meet.
#include "fault.h"

#include <sched.h>

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  volatile uint64_t* count = obj ? &((TVMFFIObject*)obj)->combined_ref_count : NULL;
  if (!count) return real.TVMFFIObjectIncRef(obj);
  uint64_t before = *count;
  if (before % 64 == 0) sched_yield();
  *count = before + 1;
  return 0;
}
