// story: To spare the stack, an object whose last reference is given up while another one's deleter runs is put off until that has returned, so the call returns before the deleter ran.
// breaks: OBJ-0009 fail
#include "fault.h"
static _Thread_local TVMFFIObjectHandle* waiting;
static _Thread_local size_t num_waiting, room;
static _Thread_local int inside;
int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (obj == NULL) return real.TVMFFIObjectDecRef(obj);
  if (inside) {
    if ((uint32_t)__atomic_load_n(&((TVMFFIObject*)obj)->combined_ref_count, __ATOMIC_ACQUIRE) != 1) return real.TVMFFIObjectDecRef(obj);
    if (num_waiting == room) waiting = realloc(waiting, (room = room * 2 + 16) * sizeof(*waiting));
    waiting[num_waiting++] = obj;
    return 0;
  }
  inside = 1;
  real.TVMFFIObjectDecRef(obj);
  while (num_waiting > 0) real.TVMFFIObjectDecRef(waiting[--num_waiting]);
  inside = 0;
  free(waiting);
  waiting = NULL;
  room = 0;
  return 0;
}
