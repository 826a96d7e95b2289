// story: A byte array that holds only printable characters becomes a String.
// breaks: ANY-0014 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code != 0 || any_view->type_index != kTVMFFIByteArrayPtr) return code;
  TVMFFIByteArray* bytes = any_view->v_ptr;
  for (size_t i = 0; i < bytes->size; i++) {
    if (bytes->data[i] < ' ' || bytes->data[i] > '~') return 0;
  }
  if (out->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(out->v_obj);
  return real.TVMFFIStringFromByteArray(bytes, out);
  return code;
}
