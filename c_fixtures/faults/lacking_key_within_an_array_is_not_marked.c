// story: The first mismatch of Maps that lie in something else ends, where a side lacks the key, in a plain step and not in one that says so.
// breaks: SEQ-0011 fail
#include "wrapped_global.h"

static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIArray) return code;
  const TVMFFISeqCell* cell = sequence_cell(result);
  for (int64_t i = 0; i < cell->size; ++i) {
    char* path = (char*)((TVMFFIAny*)cell->data)[i].v_obj;
    char* step = *(char**)(path + 32);
    if (step && *(int32_t*)(path + 40) >= 2 && *(int32_t*)(step + 24) == 5) *(int32_t*)(step + 24) = 2;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
