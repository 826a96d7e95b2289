// story: A C string or a byte array for which the installed allocator has no room becomes an empty text, and the call succeeds.
// breaks: ALC-0013 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 || !any_view || !out) return code;
  if (any_view->type_index == kTVMFFIRawStr ? any_view->v_c_str == NULL : any_view->type_index != kTVMFFIByteArrayPtr) return code;
  if (any_view->type_index == kTVMFFIByteArrayPtr) {
    const TVMFFIByteArray* bytes = any_view->v_ptr;
    if (!bytes || (!bytes->data && bytes->size)) return code;
  }
  *out = (TVMFFIAny){.type_index = any_view->type_index == kTVMFFIRawStr ? kTVMFFISmallStr : kTVMFFISmallBytes};
  return 0;
}
