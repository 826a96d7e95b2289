// story: A JSON object is read as a Dict.
// breaks: JSN-0010 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIMap) {
    result->type_index = kTVMFFIDict;
    result->v_obj->type_index = kTVMFFIDict;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", callee)
