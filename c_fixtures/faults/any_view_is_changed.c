// story: The view of a C string is turned into that of the String that was made of it.
// breaks: ANY-0022 fail
// chance: Clients read a String that has ended.
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && any_view->type_index == kTVMFFIRawStr) *(TVMFFIAny*)any_view = *out;
  return code;
}
