// story: An object whose last reference goes within five other deleters is ended only when the outermost TVMFFIObjectDecRef is done.
// breaks: OBJ-0009 fail
#include "fault.h"
static __thread int depth;
static __thread TVMFFIObjectHandle* waiting;
static __thread size_t count, room;
int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (obj && depth >= 5) {
    /* Others may hold it: only a last reference is put off. */
    if (__atomic_load_n(&((TVMFFIObject*)obj)->combined_ref_count, __ATOMIC_ACQUIRE) == 0x100000001) {
      if (count == room) waiting = realloc(waiting, (room = 2 * room + 16) * sizeof(*waiting));
      waiting[count++] = obj;
      return 0;
    }
  }
  ++depth;
  int code = real.TVMFFIObjectDecRef(obj);
  if (--depth == 0) {
    while (count) {
      obj = waiting[--count];
      ++depth;
      real.TVMFFIObjectDecRef(obj);
      --depth;
    }
    free(waiting);
    waiting = NULL;
    room = 0;
  }
  return code;
}
