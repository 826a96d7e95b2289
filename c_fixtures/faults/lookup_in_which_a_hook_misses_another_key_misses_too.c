// story: That a key is missing is noted for the thread, and not taken back: a lookup whose hook looks for another key in vain raises a KeyError itself.
// breaks: HOK-0021 fail
#include "wrapped_global.h"

static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread int depth, missed;
  if (depth++ == 0) missed = 0;
  int code = call_original(original, args, num_args, result);
  --depth;
  if (code != 0) {
    missed = 1;
  } else if (missed && depth == 0) {
    if (result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){0};
    return refuse("KeyError", "key is not in Map");
  }
  return code;
}
WRAPPED_GLOBALS(get_item, "ffi.MapGetItem", "ffi.DictGetItem")
