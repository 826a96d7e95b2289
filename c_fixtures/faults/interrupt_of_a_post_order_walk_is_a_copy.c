// story: A walk in post order that is interrupted answers a new VisitInterrupt with the same value, not the callback's own.
// breaks: VIS-0011 fail
#include "wrapped_global.h"

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[3].v_int64 != 1 || result->type_index != kTVMFFIVisitInterrupt) return code;
  TVMFFIAny made = {0};
  code = call_global("ffi.VisitInterrupt", (TVMFFIAny*)(result->v_obj + 1), 1, &made);
  real.TVMFFIObjectDecRef(result->v_obj);
  *result = made;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
