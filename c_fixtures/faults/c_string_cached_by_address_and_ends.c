// story: Making owned values of C strings one after the other reuses a copy of the last text if address, length and the first and last eight bytes are the same, so a change in the middle of a reused buffer is not seen.
// breaks: ANY-0012 fail
#include "fault.h"

static __thread const char* last;
static __thread size_t last_size;
static __thread char copy[4096];

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int is_text = any_view && any_view->type_index == kTVMFFIRawStr && any_view->v_c_str;
  if (!is_text) return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  const char* text = any_view->v_c_str;
  size_t size = strlen(text);
  if (size < 24 || size >= sizeof copy) return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  int is_known = text == last && size == last_size && !memcmp(text, copy, 8) && !memcmp(text + size - 8, copy + size - 8, 8);
  if (!is_known) {
    memcpy(copy, text, size + 1);
    last = text;
    last_size = size;
  }
  TVMFFIAny view = *any_view;
  view.v_c_str = copy;
  return real.TVMFFIAnyViewToOwnedAny(&view, out);
}
