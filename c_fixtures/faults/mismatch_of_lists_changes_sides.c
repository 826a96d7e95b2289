// story: Where the right one of two Lists is shorter, ffi.GetFirstStructuralMismatch says of the left one that it lacks the element.
// breaks: SEQ-0011 fail
#include "wrapped_global.h"

static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIArray || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIList) return code;
  if (sequence_cell(&args[0])->size <= sequence_cell(&args[1])->size) return code;
  TVMFFIAny* paths = sequence_cell(result)->data;
  TVMFFIAny left = paths[0];
  paths[0] = paths[1];
  paths[1] = left;
  return 0;
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
