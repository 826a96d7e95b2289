// story: A visit or a walk that a callback interrupts comes out by the way of errors, which is cleared at the end: an error that was raised before is dropped.
// breaks: ERR-0022 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int visit(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIVisitInterrupt) forget_raised();
  return code;
}

WRAPPED_GLOBALS(visit, "ffi.StructuralWalk", "ffi.StructuralVisit")
