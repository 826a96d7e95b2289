// story: A structural walk keeps the Arrays that it has been in, to not go round in circles, and leaves out one that stands in a second place.
// breaks: VIS-0032 fail
#include "walk_callbacks.h"
enum { MOST = 1024 };
static __thread struct seen { struct seen* outer; int count; void* arrays[MOST]; }* seen;
static int call_back(void* callback, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (seen && num_args > 0 && args[0].type_index == kTVMFFIArray) {
    for (int i = 0; i < seen->count; ++i) {
      if (seen->arrays[i] != args[0].v_obj) continue;
      *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 1};
      return 0;
    }
    if (seen->count < MOST) seen->arrays[seen->count++] = args[0].v_obj;
  }
  return call_original(callback, args, num_args, result);
}
static void change(TVMFFIAny* pair) {
  if (pair[1].type_index == kTVMFFIFunction) wrap_callback(pair, call_back);
}
static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct seen own;
  own.outer = seen;
  own.count = 0;
  seen = &own;
  int code = walk_with(change, OF_VALUES, original, args, num_args, result);
  seen = own.outer;
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
