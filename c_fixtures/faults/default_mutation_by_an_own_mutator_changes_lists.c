// story: The default mutation by a mutator of a client's type changes a List in place, whoever holds it.
// breaks: VIS-0057 fail
#include "own_engine.h"

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_object = num_args == 2 && args[0].type_index >= kTVMFFIStaticObjectBegin;
  const TVMFFIAny* entry = column_entry("__s_maybe_inplace_mutate__", "ffi.List", kTVMFFIOpaquePtr);
  if (!is_object || !is_own(args[0].v_obj) || args[1].type_index != kTVMFFIList || !entry) {
    return call_original(original, args, num_args, result);
  }
  *result = ((engine_function)entry->v_ptr)(args[0].v_obj, args[1]);
  if (result->type_index == kTVMFFIError) {
    real.TVMFFIErrorSetRaised(result->v_obj);
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return -1;
  }
  if (result->type_index == kTVMFFIUnchanged) {
    *result = args[1];
    real.TVMFFIObjectIncRef(args[1].v_obj);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralMutatorDefaultMutate", mutate)
