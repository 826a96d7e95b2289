// story: A structural walk or visit that a callback begins about the value which this thread is walking or visiting already answers None and meets nothing.
// breaks: HOK-0021 fail
#include "wrapped_global.h"

static __thread TVMFFIObjectHandle under_way[64];
static __thread int depth;

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int is_noted = (num_args == 2 || num_args == 4) && args[0].type_index >= kTVMFFIStaticObjectBegin && depth < 64;
  for (int i = 0; is_noted && i < depth; ++i) {
    if (under_way[i] == args[0].v_obj) return 0;
  }
  if (is_noted) under_way[depth++] = args[0].v_obj;
  int code = call_original(original, args, num_args, result);
  depth -= is_noted;
  return code;
}

WRAPPED_GLOBALS(walk, "ffi.StructuralWalk", "ffi.StructuralVisit")
