// story: A lookup keeps its answer in one place for all threads before it gives it out.
// breaks: TYP-0038 fail
#include "fault.h"

#include <sched.h>

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  static volatile int32_t found;
  int32_t index = 0;
  int code = real.TVMFFITypeKeyToIndex(type_key, &index);
  if (code != 0) return code;
  found = index;
  sched_yield();
  *out_tindex = found;
  return 0;
}
