// story: A callback is told that it is within a pattern wherever it is.
// breaks: VIS-0013 fail
#include "walk_callbacks.h"

static int call_back(void* callee, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny wrong[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = kTVMFFIDefRegionKindPattern}};
  return call_original(callee, wrong, num_args, result);
}

static void change(TVMFFIAny* pair) {
  wrap_callback(pair, call_back);
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return walk_with(change, OF_REGIONS, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", callee)
