// story: A short byte array that becomes an owned value ends at its first NUL; long ones are right.
// breaks: ANY-0014 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view && out && any_view->type_index == kTVMFFIByteArrayPtr && any_view->v_ptr) {
    TVMFFIByteArray bytes = *(const TVMFFIByteArray*)any_view->v_ptr;
    if (bytes.size > 0 && bytes.size <= 7 && bytes.data) {
      bytes.size = strnlen(bytes.data, bytes.size);
      TVMFFIAny view = *any_view;
      view.v_ptr = &bytes;
      return real.TVMFFIAnyViewToOwnedAny(&view, out);
    }
  }
  return real.TVMFFIAnyViewToOwnedAny(any_view, out);
}
