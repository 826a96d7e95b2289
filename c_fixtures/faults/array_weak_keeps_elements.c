// story: An Array to which a weak reference is left releases its elements only together with its memory.
// breaks: ARR-0010 fail
#include "wrapped_global.h"

static void (*ending)(void*, int);

static void end(void* self, int flags) {
  if (flags == 1) return;
  ending(self, 3);
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIArray) {
    ending = result->v_obj->deleter;
    result->v_obj->deleter = end;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.Array", make)
