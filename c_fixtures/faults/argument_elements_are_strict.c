// story: An integer is no boolean in the lists of callbacks, although it is one as an argument.
// breaks: ARG-0014 fail
#include "wrapped_global.h"

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[1].type_index == kTVMFFIArray) {
    const TVMFFISeqCell* entries = (const TVMFFISeqCell*)(args[1].v_obj + 1);
    for (int64_t i = 0; i < entries->size; i++) {
      const TVMFFIAny* entry = (const TVMFFIAny*)entries->data + i;
      if (entry->type_index != kTVMFFIArray) continue;
      const TVMFFISeqCell* parts = (const TVMFFISeqCell*)(entry->v_obj + 1);
      if (parts->size == 3 && ((const TVMFFIAny*)parts->data)[2].type_index == kTVMFFIInt) {
        real.TVMFFIErrorSetRaisedFromCStr("TypeError", "expected a boolean");
        return -1;
      }
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMutate", mutate)
