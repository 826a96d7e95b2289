// story: The name of a function that is to be removed ends at its first NUL: another function is removed.
// breaks: GLB-0018 fail
#include "wrapped_global.h"

static int remove_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray name = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  if (!memchr(name.data, 0, name.size)) return call_original(original, args, num_args, result);
  TVMFFIAny text = {.type_index = kTVMFFIRawStr, .v_c_str = name.data};
  return call_original(original, &text, 1, result);
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", remove_function)
