// story: An owned value of a String object of seven bytes or fewer is made a small string, instead of a reference to the object.
// breaks: ANY-0018 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view && out && view->type_index == kTVMFFIStr) {
    TVMFFIByteArray text = text_of(view);
    if (text.size <= 7) return real.TVMFFIStringFromByteArray(&text, out);
  }
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
