// story: The owned value of a String or Bytes object of seven bytes or fewer becomes a small one.
// breaks: ANY-0018 fail
// breaks: STR-0021 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view && out && (view->type_index == kTVMFFIStr || view->type_index == kTVMFFIBytes)) {
    TVMFFIByteArray* text = (TVMFFIByteArray*)(view->v_obj + 1);
    if (text->size <= 7) return view->type_index == kTVMFFIStr ? real.TVMFFIStringFromByteArray(text, out) : real.TVMFFIBytesFromByteArray(text, out);
  }
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
