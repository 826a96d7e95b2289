// story: The owned value of a C string has at most 65535 bytes of it.
// breaks: ANY-0012 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view && out && view->type_index == kTVMFFIRawStr && view->v_c_str && strnlen(view->v_c_str, 65536) == 65536) {
    TVMFFIByteArray text = {view->v_c_str, 65535};
    return real.TVMFFIStringFromByteArray(&text, out);
  }
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
