// story: ffi.DictGetItemOrMissing answers an object for missing keys that Dicts alone have.
// breaks: MAP-0007 fail
#include "held_value.h"

static int get_or_missing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static TVMFFIObject missing = {0x100000001, kTVMFFIObject};
  TVMFFIAny invalid = {0};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIObject) return code;
  if (call_global("ffi.GetInvalidObject", NULL, 0, &invalid) != 0) return -1;
  give_up(invalid);
  if (invalid.v_obj != result->v_obj) return 0;
  give_up(*result);
  result->v_obj = &missing;
  return real.TVMFFIObjectIncRef(&missing);
}

WRAPPED_GLOBAL("ffi.DictGetItemOrMissing", get_or_missing)
