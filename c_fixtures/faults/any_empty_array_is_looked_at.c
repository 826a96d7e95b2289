// story: The first byte of a byte array is looked at even if there is none.
// breaks: ANY-0016 crash
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view->type_index == kTVMFFIByteArrayPtr) (void)*(volatile char*)((TVMFFIByteArray*)any_view->v_ptr)->data;
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);

  return code;
}
