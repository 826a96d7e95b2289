// story: The String that a thread has made of its last C string is remembered by address and length, and answered again while it lives, whatever text stands there now.
// breaks: ANY-0012 fail
#include "fault.h"

static _Thread_local struct { const char* address; size_t size; TVMFFIObject* string; } last;

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  const size_t size = any_view->type_index == kTVMFFIRawStr && any_view->v_c_str ? strlen(any_view->v_c_str) : 0;
  /* Only what somebody else holds, too, is answered again. */
  if (size > 7 && last.string && last.address == any_view->v_c_str && last.size == size &&
      (uint32_t)__atomic_load_n(&last.string->combined_ref_count, __ATOMIC_ACQUIRE) > 1) {
    *out = (TVMFFIAny){.type_index = kTVMFFIStr, .v_obj = last.string};
    return real.TVMFFIObjectIncRef(last.string);
  }
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code != 0 || size <= 7) return code;
  if (last.string) real.TVMFFIObjectDecRef(last.string);
  last.address = any_view->v_c_str;
  last.size = size;
  last.string = out->v_obj;
  return real.TVMFFIObjectIncRef(last.string);
}
