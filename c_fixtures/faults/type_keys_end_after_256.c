// story: ffi.GetRegisteredTypeKeys lists the first 256 types and no more.
// breaks: TYP-0039 fail
#include "wrapped_global.h"

static int keys(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFISeqCell* cell = sequence_cell(result);
  while (cell->size > 256) {
    TVMFFIAny* last = (TVMFFIAny*)cell->data + --cell->size;
    if (last->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(last->v_obj);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.GetRegisteredTypeKeys", keys)
