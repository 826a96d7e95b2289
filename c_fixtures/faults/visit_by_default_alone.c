// story: ffi.StructuralVisitorVisit visits what is in a value, and calls no callback for the value itself.
// breaks: VIS-0035 fail
#include "wrapped_global.h"

static int visit(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const TVMFFIByteArray name = {"ffi.StructuralVisitorDefaultVisit", 33};
  TVMFFIObjectHandle other = NULL;
  (void)original;
  if (real.TVMFFIFunctionGetGlobal(&name, &other) != 0) return -1;
  int code = real.TVMFFIFunctionCall(other, (TVMFFIAny*)args, num_args, result);
  real.TVMFFIObjectDecRef(other);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralVisitorVisit", visit)
