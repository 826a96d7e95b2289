// story: An r-value reference that was moved still has the object's address in its slot.
// breaks: ANY-0019 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (!any_view || any_view->type_index != kTVMFFIObjectRValueRef) return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  void** slot = any_view->v_ptr;
  void* object = *slot;
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  *slot = object;
  return code;
}
