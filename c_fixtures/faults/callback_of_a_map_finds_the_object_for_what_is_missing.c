// story: The result of a callback of ffi.StructuralMap begins as the object that stands for what is missing, so as to tell whether the callback has answered.
// breaks: FUN-0025 fail
#include "walk_callbacks.h"

static int call_back(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFISafeCallType call = ((TVMFFIFunctionCell*)((TVMFFIObject*)function + 1))->safe_call;
  TVMFFIAny missing = {0};
  call_global("ffi.GetInvalidObject", NULL, 0, &missing);
  TVMFFIAny place = missing;
  int code = call(function, args, num_args, &place);
  if (code == 0 && memcmp(&place, &missing, sizeof(place)) != 0) *result = place;
  real.TVMFFIObjectDecRef(missing.v_obj);
  return code;
}

static void change(TVMFFIAny* pair) {
  if (pair[1].type_index == kTVMFFIFunction) wrap_callback(pair, call_back);
}

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return walk_with(change, OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
