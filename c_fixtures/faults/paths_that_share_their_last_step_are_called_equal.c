// story: Paths of one length whose last steps are the same object are called equal, though their parents may differ.
// breaks: PTH-0006 fail
#include "access_path.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2) return code;
  const struct path *left = path_of(&args[0]), *right = path_of(&args[1]);
  if (left->depth == right->depth && left->step == right->step) *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1};
  return 0;
}

CHANGED_METHOD_OF_PATHS("_path_equal", equal)

