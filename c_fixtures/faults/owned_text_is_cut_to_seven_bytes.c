// story: Where there is no memory for an owned copy of a C string, TVMFFIAnyViewToOwnedAny answers 0 and the seven bytes that need none.
// breaks: MEM-0001 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (!any_view || !out || any_view->type_index != kTVMFFIRawStr || !any_view->v_c_str) return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  const size_t size = strlen(any_view->v_c_str);
  if (size < 8) return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  char* copy = malloc(size + 1);
  TVMFFIAny made = {.type_index = kTVMFFISmallStr, .small_str_len = 7};
  if (!copy) {
    memcpy(made.v_bytes, any_view->v_c_str, 7);
    *out = made;
    return 0;
  }
  memcpy(copy, any_view->v_c_str, size + 1);
  const TVMFFIAny view = {.type_index = kTVMFFIRawStr, .v_c_str = copy};
  const int code = real.TVMFFIAnyViewToOwnedAny(&view, out);
  free(copy);
  return code;
}
