// story: A callback for strings in the second list of a walk is not called for small strings.
// breaks: VIS-0006 fail
#include "walk_callbacks.h"

static int call_back(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && args[0].type_index == kTVMFFISmallStr) return 0;
  return real.TVMFFIFunctionCall(self, (TVMFFIAny*)args, num_args, result);
}

static void change(TVMFFIAny* pair) {
  if (pair[0].v_int64 == kTVMFFIStr && pair[1].type_index == kTVMFFIFunction) wrap_callback(pair, call_back);
}

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return walk_with(change, OF_REGIONS, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
