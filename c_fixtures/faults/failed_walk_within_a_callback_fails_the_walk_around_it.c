// story: That a walk has failed is noted for the thread: a walk whose callback walks something else, meets an error there and deals with it, is told to have failed as well.
// breaks: HOK-0021 fail
#include "wrapped_global.h"

static __thread int depth, failed;

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (depth++ == 0) failed = 0;
  int code = call_original(original, args, num_args, result);
  --depth;
  if (code != 0) failed = 1;
  if (code == 0 && failed) {
    if (result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){0};
    return refuse("RuntimeError", "the walk has failed");
  }
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
