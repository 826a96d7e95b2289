// story: ffi.RecursiveEq keeps the objects that it is comparing with the thread and not with the call, so that a hook that begins a comparison of its own with one of them is told that they are equal.
// breaks: HOK-0021 fail
#include "wrapped_global.h"

static _Thread_local void* compared;

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index <= kTVMFFIBigInt || args[1].type_index != args[0].type_index) {
    return call_original(original, args, num_args, result);
  }
  if (compared == args[0].v_obj) {
    *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1};
    return 0;
  }
  void* before = compared;
  compared = args[0].v_obj;
  int code = call_original(original, args, num_args, result);
  compared = before;
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
