// story: ffi.FunctionRemoveGlobal reads a name up to its first NUL and so removes another function.
// breaks: GLB-0018 fail

#include "wrapped_global.h"

static int remove_global(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1) return call_original(original, args, num_args, result);
  TVMFFIByteArray name = text_of(&args[0]);
  if (!name.size || !memchr(name.data, 0, name.size)) return call_original(original, args, num_args, result);
  TVMFFIAny c_str = {.type_index = kTVMFFIRawStr};
  c_str.v_c_str = name.data;
  return call_original(original, &c_str, 1, result);
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", remove_global)
