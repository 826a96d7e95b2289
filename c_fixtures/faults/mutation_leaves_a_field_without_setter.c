// story: A map or mutation that should change a field without a setter answers the value itself, as if nothing were to be changed.
// breaks: VIS-0046 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args == 0 || !is_raised_about("setter")) return code;
  forget_raised();
  if (args[0].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}

WRAPPED_GLOBALS(mutate, "ffi.StructuralMap", "ffi.StructuralMutate")
