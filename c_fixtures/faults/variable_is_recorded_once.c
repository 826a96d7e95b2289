// story: A mutator that has something recorded for a variable keeps it when something else is to be recorded, and says that it went well.
// breaks: VIS-0038 fail
#include "wrapped_global.h"

static int record(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny known = {0};
  if (num_args != 3 || call_global("ffi.StructuralMutatorVarRemapGet", args, 2, &known) != 0 || known.type_index == kTVMFFINone) {
    return call_original(original, args, num_args, result);
  }
  if (known.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(known.v_obj);
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralMutatorVarRemapSet", record)
