// story: The interrupt that ended a walk within a callback of another walk is also the answer of the outer one.
// breaks: VIS-0003 fail

#include "wrapped_global.h"

static _Thread_local unsigned depth;
static _Thread_local TVMFFIObjectHandle interrupt;

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  ++depth;
  int code = call_original(original, args, num_args, result);
  --depth;
  if (code == 0 && depth > 0 && result->type_index == kTVMFFIVisitInterrupt) {
    real.TVMFFIObjectIncRef(result->v_obj);
    if (interrupt) real.TVMFFIObjectDecRef(interrupt);
    interrupt = result->v_obj;
  }
  if (depth > 0 || !interrupt) return code;
  if (code == 0 && result->type_index == kTVMFFINone) {
    *result = (TVMFFIAny){.type_index = kTVMFFIVisitInterrupt, .v_ptr = interrupt};
  } else {
    real.TVMFFIObjectDecRef(interrupt);
  }
  interrupt = NULL;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
