// story: ffi.MapCount does not find a short text that comes as a String object, where ffi.MapGetItem does.
// breaks: MAP-0004 fail
#include "wrapped_global.h"

static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[1].type_index == kTVMFFIStr && ((TVMFFIByteArray*)(args[1].v_obj + 1))->size <= 7)
    result->v_int64 = 0;
  return code;
}

WRAPPED_GLOBAL("ffi.MapCount", count)
