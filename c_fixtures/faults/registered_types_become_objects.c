// story: An owned value of an object whose type was registered at run time says that it is a plain ffi.Object.
// breaks: OBJ-0032 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index >= kTVMFFIDynObjectBegin) out->type_index = kTVMFFIObject;
  return code;
}
