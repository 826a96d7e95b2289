// story: A callback of a walk is called for values of every type.
// breaks: VIS-0005 fail
#include "walk_callbacks.h"

static void change(TVMFFIAny* pair) {
  if (pair[0].v_int64 != kTVMFFIObject) pair[0].v_int64 = kTVMFFIAny;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return walk_with(change, OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", callee)
