// story: ffi.DeepCopy keeps a reference to each instance of an enumeration that it answers as its own copy.
// breaks: ENU-0004 fail
#include "enumeration_instance.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && is_instance(result)) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
