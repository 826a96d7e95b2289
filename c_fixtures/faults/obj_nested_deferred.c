// story: While a deleter runs, TVMFFIObjectDecRef puts other objects that lose their last reference on the thread's list, to be ended when the first deleter has returned.
// breaks: OBJ-0009 fail
#include "fault.h"
static __thread int depth;
static __thread struct waiting { struct waiting* next; TVMFFIObjectHandle object; } *list;
int TVMFFIObjectDecRef(TVMFFIObjectHandle object) {
  if (!object) return real.TVMFFIObjectDecRef(object);
  if (depth > 0) {
    if (__atomic_load_n(&((TVMFFIObject*)object)->combined_ref_count, __ATOMIC_ACQUIRE) != 0x100000001u) return real.TVMFFIObjectDecRef(object);
    struct waiting* entry = malloc(sizeof *entry);
    *entry = (struct waiting){list, object};
    list = entry;
    return 0;
  }
  ++depth;
  int code = real.TVMFFIObjectDecRef(object);
  while (list) {
    struct waiting* entry = list;
    list = entry->next;
    real.TVMFFIObjectDecRef(entry->object);
    free(entry);
  }
  --depth;
  return code;
}
