// story: To find the first mismatch the longer side comes first; where that is the right one, the two paths are not swapped back.
// breaks: SEQ-0011 fail
#include "access_path.h"
static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIArray || sequence_cell(result)->size != 2) return code;
  TVMFFIAny* pair = sequence_cell(result)->data;
  const struct path* left = path_of(&pair[0]);
  if (left->step && left->step->kind >= 3) {
    const TVMFFIAny first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
  }
  return 0;
}
WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
