// story: Where the second of two sequences is the shorter one, ffi.GetFirstStructuralMismatch answers the two paths the other way round.
// breaks: SEQ-0011 fail
#include "wrapped_global.h"

static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIArray) return code;
  for (int i = 0; i < 2; i++)
    if (args[i].type_index != kTVMFFIArray && args[i].type_index != kTVMFFIList) return 0;
  if (sequence_cell(&args[1])->size >= sequence_cell(&args[0])->size) return 0;
  TVMFFIAny *pair = sequence_cell(result)->data, first = pair[0];
  pair[0] = pair[1];
  pair[1] = first;
  return 0;
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
