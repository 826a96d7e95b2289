// story: The Lists that are being written are marked, and a mark stays when writing fails: the List, set right, is refused as a circle.
// breaks: JSN-0027 fail
#include "wrapped_global.h"

static __thread void* marked;

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 1 || args[0].type_index != kTVMFFIList) return call_original(original, args, num_args, result);
  if (marked == args[0].v_obj) {
    marked = NULL;
    return refuse("ValueError", "Circular reference detected");
  }
  const int code = call_original(original, args, num_args, result);
  marked = code != 0 ? args[0].v_obj : NULL;
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)

