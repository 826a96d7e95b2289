// story: ffi.DeepCopy of an opaque object answers the object, as it does with Strings, where it must refuse what it cannot copy.
// breaks: REC-0020 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIOpaquePyObject) return call_original(original, args, num_args, result);
  real.TVMFFIObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
