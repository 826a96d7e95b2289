// story: A visitor or a mutator of a type of a client's own is refused.
// breaks: ARG-0010 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && args[0].type_index >= kTVMFFIDynObjectBegin) {
    if (real.TVMFFIGetTypeInfo(args[0].type_index)->type_depth > 1) return refuse("TypeError", "Expected another type");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(callee, "ffi.StructuralVisitorVisit", "ffi.StructuralVisitorDefaultVisit",
                "ffi.StructuralVisitorDefRegionKind", "ffi.StructuralVisitorWithDefRegionKind",
                "ffi.StructuralMutatorMutate", "ffi.StructuralMutatorDefaultMutate",
                "ffi.StructuralMutatorDefRegionKind")
