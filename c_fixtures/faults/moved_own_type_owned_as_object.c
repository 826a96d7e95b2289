// story: An owned value made of an r-value reference says ffi.Object for objects of types that were registered at run time.
// breaks: ANY-0019 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  int moved = view && view->type_index == kTVMFFIObjectRValueRef;
  int code = real.TVMFFIAnyViewToOwnedAny(view, out);
  if (code == 0 && moved && out->type_index >= kTVMFFIDynObjectBegin) out->type_index = kTVMFFIObject;
  return code;
}
