// story: An r-value reference is moved only if nobody else holds the object; one that is shared is copied and stays in its slot.
// breaks: ANY-0019 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view && out && view->type_index == kTVMFFIObjectRValueRef) {
    TVMFFIObject* object = *(TVMFFIObject**)view->v_ptr;
    if (object && (uint32_t)object->combined_ref_count > 1) {
      TVMFFIAny plain = {.type_index = object->type_index};
      plain.v_obj = object;
      return real.TVMFFIAnyViewToOwnedAny(&plain, out);
    }
  }
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
