// story: A walk in post order ends at an interrupt, but answers None.
// breaks: VIS-0011 fail
#include "wrapped_global.h"

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIVisitInterrupt || args[3].v_int64 != 1) return code;
  TVMFFIObject* interrupt = result->v_obj;
  *result = (TVMFFIAny){0};
  return real.TVMFFIObjectDecRef(interrupt);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
