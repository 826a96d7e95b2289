// story: An r-value reference whose object is also held weakly does not count as unique, so it is copied: the slot keeps it and the strong count goes up.
// breaks: ANY-0019 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view && out && any_view->type_index == kTVMFFIObjectRValueRef && any_view->v_ptr) {
    TVMFFIObject* object = *(TVMFFIObject**)any_view->v_ptr;
    if (object && __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) >> 32 > 1) {
      const TVMFFIAny view = {.type_index = object->type_index, .v_obj = object};
      return real.TVMFFIAnyViewToOwnedAny(&view, out);
    }
  }
  return real.TVMFFIAnyViewToOwnedAny(any_view, out);
}
