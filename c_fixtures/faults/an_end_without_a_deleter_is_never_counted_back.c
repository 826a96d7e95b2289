// story: TVMFFIObjectDecRef counts how deep ends lie in one another, to put off those beyond 32, and does not count back for an object without a deleter.
// breaks: OBJ-0009 fail
#include "fault.h"

static _Thread_local int depth, waiting;
static _Thread_local TVMFFIObject* queue[256];

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (!object || (uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) != 1) {
    return real.TVMFFIObjectDecRef(obj);
  }
  if (depth > 32 && waiting < 256) {
    queue[waiting++] = object;
    return 0;
  }
  ++depth;
  if (!object->deleter) return real.TVMFFIObjectDecRef(obj);
  int code = real.TVMFFIObjectDecRef(obj);
  if (depth == 1) {
    while (waiting) real.TVMFFIObjectDecRef(queue[--waiting]);
  }
  --depth;
  return code;
}
