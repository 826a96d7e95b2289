// story: An r-value reference to an object that others hold too is copied instead of moved: the caller's slot keeps the object.
// breaks: ANY-0019 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view && out && any_view->type_index == kTVMFFIObjectRValueRef) {
    TVMFFIObject* object = *(TVMFFIObject**)any_view->v_ptr;
    if (object && (uint32_t)object->combined_ref_count != 1) {
      TVMFFIAny plain = {.type_index = object->type_index, .v_obj = object};
      return real.TVMFFIAnyViewToOwnedAny(&plain, out);
    }
  }
  return real.TVMFFIAnyViewToOwnedAny(any_view, out);
}
