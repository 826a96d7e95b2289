// story: Hooks that visit objects are taken as function objects only: a pointer to a C function is forgotten.
// breaks: VIS-0042 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (is(name, "__s_visit__") && value->type_index == kTVMFFIOpaquePtr) return 0;
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
