// story: An r-value reference to an object that others hold too is copied instead of moved: the slot keeps the object and its reference.
// breaks: ANY-0019 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view && out && any_view->type_index == kTVMFFIObjectRValueRef) {
    TVMFFIObject** slot = any_view->v_ptr;
    if (slot && *slot && (uint32_t)(*slot)->combined_ref_count > 1) {
      TVMFFIAny view = {0};
      view.type_index = (*slot)->type_index;
      view.v_obj = *slot;
      return real.TVMFFIAnyViewToOwnedAny(&view, out);
    }
  }
  return real.TVMFFIAnyViewToOwnedAny(any_view, out);
}
