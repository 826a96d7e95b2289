// story: An owned value of a String or Bytes object of up to seven bytes is the small form of its content, not the object.
// breaks: ANY-0018 fail
// breaks: STR-0021 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view && out && (view->type_index == kTVMFFIStr || view->type_index == kTVMFFIBytes)) {
    const TVMFFIByteArray content = *(TVMFFIByteArray*)(view->v_obj + 1);
    if (content.size <= 7 && view->type_index == kTVMFFIStr) return real.TVMFFIStringFromByteArray(&content, out);
    if (content.size <= 7) return real.TVMFFIBytesFromByteArray(&content, out);
  }
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
