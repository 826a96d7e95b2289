// story: In post order ffi.StructuralWalk takes the 1 of a callback for a word that the next value is to be left out.
// breaks: VIS-0010 fail
#include "walk_callbacks.h"

/** Whether the walk on this thread leaves out the next value. */
static _Thread_local int passes_over;

static int call_back(void* callee, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (passes_over) {
    passes_over = 0;
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  int code = call_original(callee, args, num_args, result);
  passes_over = code == 0 && result->type_index == kTVMFFIInt && result->v_int64 == 1;
  return code;
}

static void change(TVMFFIAny* pair) {
  wrap_callback(pair, call_back);
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[3].type_index != kTVMFFIInt || args[3].v_int64 != 1) {
    return call_original(original, args, num_args, result);
  }
  /* A callback may walk, too. */
  const int before = passes_over;
  passes_over = 0;
  int code = walk_with(change, OF_VALUES, original, args, num_args, result);
  passes_over = before;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", callee)
