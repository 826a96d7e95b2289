// story: Short bytes are copied as a word of eight, with what follows them in the source.
// breaks: ANY-0024 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && any_view->type_index == kTVMFFIByteArrayPtr && out->type_index == kTVMFFISmallBytes &&
      out->small_str_len > 0) {
    memcpy(out->v_bytes, ((TVMFFIByteArray*)any_view->v_ptr)->data, 8);
  }
  return code;
}
