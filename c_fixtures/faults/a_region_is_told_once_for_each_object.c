// story: A structural walk tells a callback of the second list, which is given the region, of each object once, although it is met twice.
// breaks: VIS-0032 fail
#include "walk_callbacks.h"

enum { MANY = 256 };
static _Thread_local void* met[MANY];
static _Thread_local int count;

static int call_back(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index >= kTVMFFIStaticObjectBegin) {
    for (int i = 0; i < count; ++i) {
      if (met[i] == args[0].v_obj) return 0;
    }
    if (count < MANY) met[count++] = args[0].v_obj;
  }
  return call_original(self, args, num_args, result);
}

static void change(TVMFFIAny* pair) {
  if (pair[1].type_index == kTVMFFIFunction) wrap_callback(pair, call_back);
}

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  count = 0;
  return walk_with(change, OF_REGIONS, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
