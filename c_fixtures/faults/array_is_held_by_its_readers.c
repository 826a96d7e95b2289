// story: Each call that asks for the size of an Array keeps a reference to it.
// breaks: ARR-0017 fail
// breaks: ARR-0018 fail
// breaks: ARR-0019 fail
// breaks: ARR-0020 fail
// breaks: ARR-0021 fail
// breaks: MOD-0075 fail
#include "wrapped_global.h"

static int size(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) real.TVMFFIObjectIncRef(args[0].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ArraySize", size)
