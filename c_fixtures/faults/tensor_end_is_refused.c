// story: The end of a tensor is noted for the statistics; where there is no memory for the note, TVMFFIObjectDecRef fails, and the tensor stays.
// breaks: MEM-0004 fail
#include "fault.h"

struct note {
  int64_t elements;
};

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* o = obj;
  if (o && o->type_index == kTVMFFITensor && (uint32_t)__atomic_load_n(&o->combined_ref_count, __ATOMIC_ACQUIRE) == 1) {
    struct note* n = malloc(sizeof(struct note));
    __asm__ volatile("" : "+r"(n));
    if (!n) return refuse("MemoryError", "no memory for a note");
    n->elements = 1;
    free(n);
  }
  return real.TVMFFIObjectDecRef(obj);
}
