// story: An owned value of an opaque object holds no reference of its own.
// breaks: ANY-0018 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && any_view->type_index == kTVMFFIOpaquePyObject) real.TVMFFIObjectDecRef(out->v_obj);
  return code;
}
