// story: A structural map takes an answer of another type with the same eight bytes, such as true for 1, for the value itself.
// breaks: VIS-0018 fail
#include "walk_callbacks.h"

static int call_back(void* callee, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(callee, args, num_args, result);
  const int are_scalars = code == 0 && num_args > 0 && result->type_index < kTVMFFIDLTensorPtr &&
                          args[0].type_index < kTVMFFIDLTensorPtr;
  if (are_scalars && result->v_uint64 == args[0].v_uint64) *result = args[0];
  return code;
}

static void change(TVMFFIAny* pair) {
  wrap_callback(pair, call_back);
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return walk_with(change, OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMap", callee)
