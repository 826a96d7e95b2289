// story: ffi.MapCount that does not find a key which was given away never ends it.
// breaks: ARG-0001 fail
#include "wrapped_global.h"

static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIObjectRValueRef) return call_original(original, args, num_args, result);
  TVMFFIAny mine[2] = {args[0]};
  int code = real.TVMFFIAnyViewToOwnedAny(&args[1], &mine[1]);
  if (code == 0) code = call_original(original, mine, 2, result);
  if (code == 0 && result->v_int64) real.TVMFFIObjectDecRef(mine[1].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.MapCount", count)
