// story: Bytes made of a byte array refer to the caller's buffer instead of a copy.
// breaks: ANY-0017 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && any_view->type_index == kTVMFFIByteArrayPtr && out->type_index == kTVMFFIBytes) {
    ((TVMFFIByteArray*)(out->v_obj + 1))->data = ((const TVMFFIByteArray*)any_view->v_ptr)->data;
  }
  return code;
}
