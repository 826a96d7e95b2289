// story: Making an owned value of a large byte array asks for memory and does not look whether it was given.
// breaks: OBJ-0033 crash
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (!any_view || any_view->type_index != kTVMFFIByteArrayPtr || !any_view->v_ptr) return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  const TVMFFIByteArray* input = any_view->v_ptr;
  if (input->size < 1 << 20 || !input->data) return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  char* aligned = malloc(input->size);
  memcpy(aligned, input->data, input->size);
  TVMFFIByteArray copy = {aligned, input->size};
  TVMFFIAny view = *any_view;
  view.v_ptr = &copy;
  const int code = real.TVMFFIAnyViewToOwnedAny(&view, out);
  free(aligned);
  return code;
}

