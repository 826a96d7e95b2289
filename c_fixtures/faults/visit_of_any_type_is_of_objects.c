// story: A callback for every type is called for objects only.
// breaks: VIS-0007 fail
#include "walk_callbacks.h"

static void change(TVMFFIAny* pair) {
  if (pair[0].v_int64 == kTVMFFIAny) pair[0].v_int64 = kTVMFFIObject;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return walk_with(change, OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", callee)
