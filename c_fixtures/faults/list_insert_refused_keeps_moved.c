// story: ffi.ListInsert takes an object out of an r-value reference before it looks at the index, and loses it when the index is refused.
// breaks: ARG-0001 fail
// breaks: LST-0020 fail
#include "wrapped_global.h"

static int insert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[2].type_index != kTVMFFIObjectRValueRef)
    return call_original(original, args, num_args, result);
  TVMFFIAny mine[3] = {args[0], args[1]};
  int code = real.TVMFFIAnyViewToOwnedAny(&args[2], &mine[2]);
  if (code != 0) return code;
  code = call_original(original, mine, 3, result);
  if (code != 0) return code;
  return real.TVMFFIObjectDecRef(mine[2].v_obj);
}

WRAPPED_GLOBAL("ffi.ListInsert", insert)
