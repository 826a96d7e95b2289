// story: What an Array has in __s_maybe_inplace_mutate__ has a client's mutator mutate each part in place, whoever holds it.
// breaks: VIS-0057 fail
#include "own_engine.h"

static TVMFFIAny mutate_all(TVMFFIObjectHandle mutator, TVMFFIAny value) {
  TVMFFISeqCell* cell = sequence_cell(&value);
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny* part = (TVMFFIAny*)cell->data + i;
    TVMFFIAny answer = engine_functions(mutator)[part->type_index >= kTVMFFIStaticObjectBegin](mutator, *part);
    if (answer.type_index == kTVMFFIError) return answer;
    if (answer.type_index == kTVMFFIUnchanged) continue;
    if (part->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(part->v_obj);
    *part = answer;
  }
  return (TVMFFIAny){.type_index = kTVMFFIUnchanged};
}

PATCHED_NATIVE("__s_maybe_inplace_mutate__", "ffi.Array", mutate_all)
