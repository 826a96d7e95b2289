// story: The causes of an error that ends are put in a list first; where there is no memory for the list, the cause is never released.
// breaks: MEM-0004 leak
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* o = obj;
  if (o && o->type_index == kTVMFFIError && (uint32_t)__atomic_load_n(&o->combined_ref_count, __ATOMIC_ACQUIRE) == 1) {
    TVMFFIErrorCell* cell = (TVMFFIErrorCell*)(o + 1);
    if (cell->cause_chain) {
      TVMFFIObjectHandle* list = malloc(sizeof(TVMFFIObjectHandle));
      __asm__ volatile("" : "+r"(list));
      if (list) {
        *list = cell->cause_chain;
        free(list);
      } else {
        cell->cause_chain = NULL;
      }
    }
  }
  return real.TVMFFIObjectDecRef(obj);
}
