// story: C strings are measured and copied by way of a buffer that each thread has, and that of a thread that ends is not freed.
// breaks: ANY-0026 leak
#include "fault.h"

static _Thread_local char* buffer;
static _Thread_local size_t room;

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (!any_view || !out || any_view->type_index != kTVMFFIRawStr || !any_view->v_c_str) {
    return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  }
  const size_t size = strlen(any_view->v_c_str) + 1;
  if (size > room) {
    char* wider = realloc(buffer, size < 256 ? 256 : size);
    if (!wider) return real.TVMFFIAnyViewToOwnedAny(any_view, out);
    buffer = wider;
    room = size < 256 ? 256 : size;
  }
  memcpy(buffer, any_view->v_c_str, size);
  const TVMFFIAny copy = {.type_index = kTVMFFIRawStr, .v_c_str = buffer};
  return real.TVMFFIAnyViewToOwnedAny(&copy, out);
}
