// story: ffi.StructuralMutatorVarRemapGet keeps a reference to a variable for which nothing was recorded.
// breaks: VIS-0038 fail

#include "wrapped_global.h"

static int remap_get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2 || args[1].type_index < kTVMFFIStaticObjectBegin) return code;
  if (result->type_index == kTVMFFINone) {
    /* The look-up has put an empty entry into the table, as operator[] does. */
    real.TVMFFIObjectIncRef(args[1].v_obj);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralMutatorVarRemapGet", remap_get)
