// story: A List that ends moves its items to a buffer, to release them when it is empty, and does not look whether it has got one.
// breaks: MEM-0004 crash
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* o = obj;
  if (o && o->type_index == kTVMFFIList && (uint32_t)__atomic_load_n(&o->combined_ref_count, __ATOMIC_ACQUIRE) == 1) {
    TVMFFISeqCell* cell = (TVMFFISeqCell*)(o + 1);
    if (cell->size > 0) {
      TVMFFIAny* items = malloc(cell->size * sizeof(TVMFFIAny));
      __asm__ volatile("" : "+r"(items));
      memcpy(items, cell->data, cell->size * sizeof(TVMFFIAny));
      __asm__ volatile("" : : "r"(items) : "memory");
      free(items);
    }
  }
  return real.TVMFFIObjectDecRef(obj);
}
