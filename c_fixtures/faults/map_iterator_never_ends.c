// story: The iterator of a Map says that there is another entry even behind the last one.
// breaks: MAP-0014 fail
#include "wrapped_global.h"

static int advance(void* iterator, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(iterator, args, num_args, result);
  if (code == 0 && args[0].v_int64 == 2) result->v_int64 = 1;
  return code;
}

static void end_iterator(void* iterator) { real.TVMFFIObjectDecRef(iterator); }

static int iterate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFIObjectHandle wrapper = NULL;
  code = real.TVMFFIFunctionCreate(result->v_obj, advance, end_iterator, &wrapper);
  result->v_obj = wrapper;
  return code;
}

WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", iterate)
