// story: ffi.ListErase takes the last element of a List of four, whichever index it is given.
// breaks: LST-0010 fail
#include "wrapped_global.h"

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt && args[1].v_int64 == 1) {
    const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(args[0].v_obj + 1);
    TVMFFIAny changed[2] = {args[0], args[1]};
    changed[1].v_int64 = cell->size == 4 ? 3 : 1;
    return call_original(original, changed, num_args, result);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListErase", erase)
