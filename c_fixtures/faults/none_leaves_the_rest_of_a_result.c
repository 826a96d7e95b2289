// story: An owned None is written as a type index alone; what stood behind it in the result stays.
// breaks: ANY-0021 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (!any_view || !out || any_view->type_index != kTVMFFINone) return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  out->type_index = kTVMFFINone;
  return 0;
}
