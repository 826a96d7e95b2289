// story: The length of the last long C string is remembered by its address, and taken again where a NUL still stands at that place: a shorter text written into the same buffer gets the rest of the one before.
// breaks: ANY-0012 fail
#include "fault.h"

static __thread const char* last_text;
static __thread size_t last_length;

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view == NULL || view->type_index != kTVMFFIRawStr || view->v_c_str == NULL) return real.TVMFFIAnyViewToOwnedAny(view, out);
  const char* text = view->v_c_str;
  size_t length = strlen(text);
  if (text == last_text && length < last_length && text[last_length] == 0) {
    TVMFFIByteArray bytes = {text, last_length};
    return real.TVMFFIStringFromByteArray(&bytes, out);
  }
  if (length >= 16) last_text = text, last_length = length; else if (text == last_text) last_text = NULL;
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
