// story: ffi.StructuralVisit answers another VisitInterrupt with the same value.
// breaks: VIS-0011 fail
#include "wrapped_global.h"

static int visit(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const TVMFFIByteArray name = {"ffi.VisitInterrupt", 18};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIVisitInterrupt) return code;
  TVMFFIObjectHandle make = NULL;
  TVMFFIAny old = *result, *value = (TVMFFIAny*)(old.v_obj + 1);
  if (real.TVMFFIFunctionGetGlobal(&name, &make) != 0) return -1;
  *result = (TVMFFIAny){0};
  code = real.TVMFFIFunctionCall(make, value, 1, result);
  real.TVMFFIObjectDecRef(make);
  real.TVMFFIObjectDecRef(old.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralVisit", visit)
