// story: A structural walk in post order calls its callbacks when it has left the definition region, and tells them the kind 0 within one.
// breaks: VIS-0028 fail
#include "walk_callbacks.h"

static int without_region(void* callback, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny given[2] = {args[0], {.type_index = kTVMFFIInt}};
  if (num_args != 2) return call_original(callback, args, num_args, result);
  return call_original(callback, given, 2, result);
}

static void change(TVMFFIAny* pair) {
  if (pair[1].type_index == kTVMFFIFunction) wrap_callback(pair, without_region);
}

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[3].type_index != kTVMFFIInt || args[3].v_int64 != 1)
    return call_original(original, args, num_args, result);
  return walk_with(change, OF_REGIONS, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
