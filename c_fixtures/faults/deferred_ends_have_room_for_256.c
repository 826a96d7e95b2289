// story: Ends that lie more than 32 deep in one another are put off to a list of 256 places, and those beyond are forgotten.
// breaks: OBJ-0009 fail
#include "fault.h"

static _Thread_local int depth, waiting;
static _Thread_local TVMFFIObjectHandle list[256];

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!obj || (uint32_t)__atomic_load_n(&((TVMFFIObject*)obj)->combined_ref_count, __ATOMIC_ACQUIRE) != 1) return real.TVMFFIObjectDecRef(obj);
  if (depth > 32) {
    if (waiting < 256) list[waiting++] = obj;
    return 0;
  }
  ++depth;
  int code = real.TVMFFIObjectDecRef(obj);
  while (depth == 1 && waiting > 0) real.TVMFFIObjectDecRef(list[--waiting]);
  --depth;
  return code;
}
