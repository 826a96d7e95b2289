// story: An insertion beyond the ends of a List is one at its ends.
// breaks: LST-0018 fail
#include "wrapped_global.h"

static int insert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny clamped[3] = {args[0], args[1], args[2]};
  if (clamped[1].v_int64 < 0) clamped[1].v_int64 = 0;
  if (clamped[1].v_int64 > sequence_cell(args)->size) clamped[1].v_int64 = sequence_cell(args)->size;
  return call_original(original, clamped, 3, result);
}

WRAPPED_GLOBAL("ffi.ListInsert", insert)
