// story: The functions that take an element out of a List or put one in look at the low 32 bits of the index.
// breaks: LST-0018 fail
#include "wrapped_global.h"

static int change(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 2 || num_args > 3 || args[1].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny changed[3] = {args[0], args[1]};
  if (num_args == 3) changed[2] = args[2];
  changed[1].v_int64 = (int32_t)changed[1].v_int64;
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBALS(change, "ffi.ListPop", "ffi.ListErase", "ffi.ListInsert")
