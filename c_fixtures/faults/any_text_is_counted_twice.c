// story: A String that is made of a C string has one reference more than its owner knows of.
// breaks: ANY-0026 leak
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && any_view->type_index == kTVMFFIRawStr && out->type_index == kTVMFFIStr) {
    real.TVMFFIObjectIncRef(out->v_obj);
  }
  return code;
}
