// story: The name of a module's function is empty to the library where it is a String object whose bytes do not follow it directly.
// breaks: MOD-0002 fail
#include "wrapped_global.h"

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[1].type_index != kTVMFFIStr) return call_original(original, args, num_args, result);
  const TVMFFIByteArray* text = (const TVMFFIByteArray*)(args[1].v_obj + 1);
  if (text->data == (const char*)(text + 1)) return call_original(original, args, num_args, result);
  TVMFFIAny changed[3] = {args[0], {.type_index = kTVMFFISmallStr}, args[2]};
  return call_original(original, changed, 3, result);
}

WRAPPED_GLOBALS(find, "ffi.ModuleGetFunction", "ffi.ModuleImplementsFunction")
