// story: A walk in post order marks the containers that it has done, and calls no callback for one that it meets again.
// breaks: VIS-0032 fail
#include "walk_callbacks.h"

static __thread void* met[64];
static __thread int num_met;

static int call_once(void* callback, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && (args[0].type_index == kTVMFFIArray || args[0].type_index == kTVMFFIMap)) {
    for (int i = 0; i < num_met; ++i) {
      if (met[i] == args[0].v_obj) return 0;
    }
    if (num_met < 64) met[num_met++] = args[0].v_obj;
  }
  return call_original(callback, args, num_args, result);
}

static void change(TVMFFIAny* pair) { wrap_callback(pair, call_once); }

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[3].type_index != kTVMFFIInt || args[3].v_int64 != 1) return call_original(original, args, num_args, result);
  num_met = 0;
  return walk_with(change, OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)

