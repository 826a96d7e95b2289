// story: The default mutation by a mutator of a client's type makes None of a value that is no object.
// breaks: VIS-0037 fail
#include "own_engine.h"

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_object = num_args == 2 && args[0].type_index >= kTVMFFIStaticObjectBegin;
  if (is_object && is_own(args[0].v_obj) && args[1].type_index < kTVMFFIStaticObjectBegin) {
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMutatorDefaultMutate", mutate)
