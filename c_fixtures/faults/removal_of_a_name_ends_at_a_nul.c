// story: ffi.FunctionRemoveGlobal takes the name for a C string: asked to remove a name with a NUL inside, it removes the one that ends there.
// breaks: GLB-0018 fail
#include "wrapped_global.h"

static int removed(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray text = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  const char* end = memchr(text.data, 0, text.size);
  if (!end) return call_original(original, args, num_args, result);
  TVMFFIAny shorter = {.type_index = kTVMFFIRawStr};
  shorter.v_c_str = text.data;
  return call_original(original, &shorter, 1, result);
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", removed)
