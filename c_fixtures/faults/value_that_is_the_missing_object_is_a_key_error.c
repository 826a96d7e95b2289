// story: Maps and Dicts are asked by the function that answers the missing object, so that a key with that very object for its value has none.
// breaks: MAP-0002 fail
// breaks: DCT-0006 fail
#include "wrapped_global.h"

static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny missing = {0};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIObject) return code;
  if (call_global("ffi.GetInvalidObject", NULL, 0, &missing) != 0) return -1;
  real.TVMFFIObjectDecRef(missing.v_obj);
  if (missing.v_obj != result->v_obj) return 0;
  real.TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){0};
  return refuse("KeyError", "key is not in Map");
}
WRAPPED_GLOBALS(get_item, "ffi.MapGetItem", "ffi.DictGetItem")
