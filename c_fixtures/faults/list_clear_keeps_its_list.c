// story: ffi.ListClear of a List that is not empty keeps a reference to it.
// breaks: LST-0033 fail
#include "wrapped_global.h"

static int clear(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIList && sequence_cell(args)->size > 0) {
    real.TVMFFIObjectIncRef(args[0].v_obj);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListClear", clear)
