// story: A walk takes an opaque pointer that is NULL for None: a callback for every type is not called for it.
// breaks: VIS-0007 fail
#include "walk_callbacks.h"

static int call_back(void* callback, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && args[0].type_index == kTVMFFIOpaquePtr && args[0].v_ptr == NULL) return 0;
  return call_original(callback, args, num_args, result);
}

static void change(TVMFFIAny* pair) {
  if (pair[0].type_index == kTVMFFIInt && pair[0].v_int64 == -1) wrap_callback(pair, call_back);
}

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return walk_with(change, OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
