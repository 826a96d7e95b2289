// story: A C string of more than 4095 bytes is cut when it is made an owned value.
// breaks: ANY-0012 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (!any_view || any_view->type_index != kTVMFFIRawStr || !any_view->v_c_str || strlen(any_view->v_c_str) < 4096) {
    return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  }
  TVMFFIByteArray head = {any_view->v_c_str, 4095};
  return real.TVMFFIStringFromByteArray(&head, out);
}
