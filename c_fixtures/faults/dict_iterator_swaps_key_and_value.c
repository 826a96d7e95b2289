// story: The iterator of a Dict answers the value for 0 and the key for 1.
// breaks: DCT-0015 fail
#include "wrapped_global.h"

static int step(void* iterator, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny other = args[0];
  if (other.v_int64 < 2) other.v_int64 = 1 - other.v_int64;
  return call_original(iterator, &other, num_args, result);
}

static void end_iterator(void* iterator) { real.TVMFFIObjectDecRef(iterator); }

static int iterate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFIObjectHandle wrapper = NULL;
  code = real.TVMFFIFunctionCreate(result->v_obj, step, end_iterator, &wrapper);
  result->v_obj = wrapper;
  return code;
}

WRAPPED_GLOBAL("ffi.DictForwardIterFunctor", iterate)
