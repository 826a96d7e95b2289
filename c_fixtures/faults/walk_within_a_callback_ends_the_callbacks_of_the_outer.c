// story: The callbacks of a walk lie in a place of the thread, which a walk within one of them fills anew and empties: the outer walk goes on without any.
// breaks: VIS-0003 fail
#include "walk_callbacks.h"

static __thread int depth;
static __thread char is_empty[64];

static int call_back(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (depth < 64 && is_empty[depth]) return 0;
  return call_original(function, args, num_args, result);
}

static void change(TVMFFIAny* pair) {
  if (pair[1].type_index == kTVMFFIFunction) wrap_callback(pair, call_back);
}

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  ++depth;
  if (depth < 64) is_empty[depth] = 0;
  int code = walk_with(change, OF_VALUES, original, args, num_args, result);
  --depth;
  if (depth > 0 && depth < 64) is_empty[depth] = 1;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
