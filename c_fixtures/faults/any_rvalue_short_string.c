// story: When an r-value reference to a String object of at most seven bytes becomes an owned value, it is turned into a small string and the object is released.
// breaks: ANY-0019 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view && out && view->type_index == kTVMFFIObjectRValueRef) {
    TVMFFIObject** slot = view->v_ptr;
    if (*slot && (*slot)->type_index == kTVMFFIStr && ((TVMFFIByteArray*)(*slot + 1))->size <= 7) {
      int code = real.TVMFFIStringFromByteArray((TVMFFIByteArray*)(*slot + 1), out);
      if (code != 0) return code;
      real.TVMFFIObjectDecRef(*slot);
      *slot = NULL;
      return 0;
    }
  }
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
