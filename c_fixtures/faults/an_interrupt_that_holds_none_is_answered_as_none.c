// story: A walk or a visit that a callback ends with a VisitInterrupt of None answers None, as if it had come to its end.
// breaks: VIS-0011 fail
#include "wrapped_global.h"
static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIVisitInterrupt || ((TVMFFIAny*)(result->v_obj + 1))->type_index != kTVMFFINone) return code;
  real.TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){0};
  return 0;
}
WRAPPED_GLOBALS(walk, "ffi.StructuralWalk", "ffi.StructuralVisit")
