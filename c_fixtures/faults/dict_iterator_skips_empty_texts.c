// story: The iterator of a Dict answers None for a value that is an empty string.
// breaks: DCT-0015 fail
#include "wrapped_global.h"

static int step(void* next, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(next, args, num_args, result);
  if (code == 0 && args[0].v_int64 == 1 && result->type_index == kTVMFFISmallStr && result->small_str_len == 0)
    *result = (TVMFFIAny){0};
  return code;
}

static void end(void* next) { real.TVMFFIObjectDecRef(next); }

static int iterate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  TVMFFIObjectHandle wrapper;
  if (code != 0 || (code = real.TVMFFIFunctionCreate(result->v_obj, step, end, &wrapper)) != 0) return code;
  result->v_obj = wrapper;
  return 0;
}

WRAPPED_GLOBAL("ffi.DictForwardIterFunctor", iterate)
