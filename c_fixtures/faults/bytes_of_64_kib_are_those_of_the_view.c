// story: Bytes of 64 KiB and more are not copied from the view that they are made of.
// breaks: ANY-0017 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  const TVMFFIByteArray* given = view->type_index == kTVMFFIByteArrayPtr ? (const TVMFFIByteArray*)view->v_ptr : NULL;
  int code = real.TVMFFIAnyViewToOwnedAny(view, out);
  if (code == 0 && given && given->size >= 1 << 16) ((TVMFFIByteArray*)(out->v_obj + 1))->data = given->data;
  return code;
}
