// story: An object that is moved out of an r-value reference while others hold it too gets one reference more than was moved.
// breaks: ANY-0019 fail

#include "fault.h"

/* "A shared object cannot be stolen, so it is shared once more": but the slot is emptied all the same. */
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view && out && view->type_index == kTVMFFIObjectRValueRef && view->v_ptr) {
    TVMFFIObject* object = *(TVMFFIObject**)view->v_ptr;
    if (object && (uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_RELAXED) > 1) {
      real.TVMFFIObjectIncRef(object);
    }
  }
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
