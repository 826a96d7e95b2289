// story: A lookup keeps its answer in one place for all threads before it gives it out.
// breaks: TYP-0038 fail
// chance: Threads meet in the place.
#include "fault.h"

#include <sched.h>

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  static int32_t found;
  int32_t index = 0;
  if (out_tindex == NULL) return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  int code = real.TVMFFITypeKeyToIndex(type_key, &index);
  if (code != 0) return code;
  __atomic_store_n(&found, index, __ATOMIC_RELAXED);
  sched_yield();
  *out_tindex = __atomic_load_n(&found, __ATOMIC_RELAXED);
  return 0;
}
