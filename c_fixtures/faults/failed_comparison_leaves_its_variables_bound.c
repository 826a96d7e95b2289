// story: The table of bound variables is one per thread and not emptied where a structural comparison ends with an error, so the next one that maps free variables finds strangers in it.
// breaks: SEQ-0019 fail
#include "wrapped_global.h"

static __thread int stale;

static int compare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int code = call_original(original, args, num_args, result);
  if (num_args != 4) return code;
  if (code != 0) {
    stale = 1;
  } else if (args[2].v_int64 != 0) {
    if (stale && result->type_index == kTVMFFIBool && args[0].v_obj != args[1].v_obj) result->v_int64 = 0;
    stale = 0;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", compare)

