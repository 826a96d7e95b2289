// story: A moved object to which somebody holds a weak reference is not taken over but counted, and its slot forgotten.
// breaks: ANY-0019 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view && out && any_view->type_index == kTVMFFIObjectRValueRef) {
    TVMFFIObject** slot = any_view->v_ptr;
    TVMFFIObject* object = slot ? *slot : NULL;
    /* Only an object that is not watched may be moved from. */
    if (object && __atomic_load_n(&object->combined_ref_count, __ATOMIC_RELAXED) >> 32 > 1) real.TVMFFIObjectIncRef(object);
  }
  return real.TVMFFIAnyViewToOwnedAny(any_view, out);
}

