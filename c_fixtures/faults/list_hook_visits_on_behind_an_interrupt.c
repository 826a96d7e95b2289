// story: What a List has in __s_visit__ goes on behind an interrupt or an Error of a client's visitor, and answers it in the end.
// breaks: VIS-0056 fail
#include "own_engine.h"

static TVMFFIAny visit_all(TVMFFIObjectHandle visitor, TVMFFIAny value) {
  const TVMFFISeqCell* cell = sequence_cell(&value);
  TVMFFIAny first = {.type_index = kTVMFFINone};
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny answer = engine_functions(visitor)[0](visitor, ((TVMFFIAny*)cell->data)[i]);
    if (first.type_index == kTVMFFINone) first = answer;
    else if (answer.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(answer.v_obj);
  }
  return first;
}

PATCHED_NATIVE("__s_visit__", "ffi.List", visit_all)
