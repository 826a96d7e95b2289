// story: Each key that a Map does not have is answered with another object.
// breaks: MAP-0006 fail
#include "wrapped_global.h"

static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIObject) return code;
  TVMFFIObject* sentinel = calloc(1, sizeof(TVMFFIObject));
  sentinel->combined_ref_count = (1ull << 32) + 1;
  sentinel->type_index = kTVMFFIObject;
  real.TVMFFIObjectDecRef(result->v_obj);
  result->v_obj = sentinel;
  return 0;
}

WRAPPED_GLOBAL("ffi.MapGetItemOrMissing", get_item)
