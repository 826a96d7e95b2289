// story: Functions that compare, hash and walk answer 0 when arguments are missing.
// breaks: REC-0033 fail
// breaks: SEQ-0033 fail
// breaks: VIS-0026 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || !is_raised_about("arguments")) return code;
  forget_raised();
  *result = (TVMFFIAny){.type_index = kTVMFFIInt};
  return 0;
}

WRAPPED_GLOBALS(callee, "ffi.RecursiveEq", "ffi.RecursiveHash", "ffi.StructuralEqual", "ffi.StructuralHash",
                "ffi.StructuralWalk", "ffi.StructuralMap")
