// story: TVMFFIObjectDecRef counts how deep ends lie in one another, to put off those beyond 32, and counts back where the memory is freed: not for an object that a weak reference outlives.
// breaks: OBJ-0009 fail
#include "fault.h"

static _Thread_local int depth, waiting;
static _Thread_local TVMFFIObject* queue[256];

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  uint64_t count = object ? __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) : 0;
  if ((uint32_t)count != 1) return real.TVMFFIObjectDecRef(obj);
  if (depth > 32 && waiting < 256) {
    queue[waiting++] = object;
    return 0;
  }
  ++depth;
  int code = real.TVMFFIObjectDecRef(obj);
  if (depth == 1) {
    while (waiting) real.TVMFFIObjectDecRef(queue[--waiting]);
  }
  if (count >> 32 == 1) --depth;
  return code;
}
