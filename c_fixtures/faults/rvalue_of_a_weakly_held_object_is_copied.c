// story: Moving an r-value reference first asks whether the object is unique by its whole count, so one that somebody holds weakly is copied and stays in its slot.
// breaks: ANY-0019 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view && out && any_view->type_index == kTVMFFIObjectRValueRef && any_view->v_ptr) {
    TVMFFIObject* object = *(TVMFFIObject**)any_view->v_ptr;
    if (object) {
      const uint64_t counts = __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE);
      if ((uint32_t)counts == 1 && counts >> 32 > 1) {
        TVMFFIAny plain = {.type_index = object->type_index};
        plain.v_obj = object;
        return real.TVMFFIAnyViewToOwnedAny(&plain, out);
      }
    }
  }
  return real.TVMFFIAnyViewToOwnedAny(any_view, out);
}
