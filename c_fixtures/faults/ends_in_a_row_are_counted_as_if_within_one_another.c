// story: Against deep recursion an end is put off behind 32 others within the outermost TVMFFIObjectDecRef, counted whether they lie in one another or follow each other.
// breaks: OBJ-0009 fail
#include "fault.h"

enum { ROOM = 4096 };
static _Thread_local int inside, ended, waiting;
static _Thread_local TVMFFIObjectHandle later[ROOM];

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!obj) return real.TVMFFIObjectDecRef(obj);
  if (inside) {
    uint64_t count = __atomic_load_n(&((TVMFFIObject*)obj)->combined_ref_count, __ATOMIC_ACQUIRE);
    if ((uint32_t)count == 1 && ++ended > 32 && waiting < ROOM) {
      later[waiting++] = obj;
      return 0;
    }
    return real.TVMFFIObjectDecRef(obj);
  }
  inside = 1;
  ended = 0;
  int code = real.TVMFFIObjectDecRef(obj);
  while (waiting > 0) {
    ended = 0;
    real.TVMFFIObjectDecRef(later[--waiting]);
  }
  inside = 0;
  return code;
}
