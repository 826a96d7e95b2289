// story: An object of a type registered at run time that is moved out of an r-value reference becomes an owned value of type index 64.
// breaks: ANY-0019 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(view, out);
  if (code == 0 && view->type_index == kTVMFFIObjectRValueRef && out->type_index >= kTVMFFIDynObjectBegin) out->type_index = kTVMFFIObject;
  return code;
}
