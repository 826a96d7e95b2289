// story: Where the left side of a comparison is the shorter sequence, the two paths of the mismatch are exchanged.
// breaks: SEQ-0011 fail
#include "wrapped_global.h"

static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIArray) return code;
  TVMFFIAny* paths = sequence_cell(result)->data;
  const char* step = *(const char**)((const char*)paths[0].v_obj + 32);
  if (!step || *(const int32_t*)(step + 24) != 4) return 0;
  TVMFFIAny left = paths[0];
  paths[0] = paths[1];
  paths[1] = left;
  return 0;
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
