// story: ffi.ModuleLoadFromFile takes dll and dylib for so, but knows no loader for dso.
// breaks: MOD-0016 fail
#include "wrapped_global.h"

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray path = {"", 0};
  if (num_args == 1 && args[0].type_index == kTVMFFIRawStr) path = (TVMFFIByteArray){args[0].v_c_str, strlen(args[0].v_c_str)};
  if (num_args == 1 && args[0].type_index == kTVMFFIStr) path = *(TVMFFIByteArray*)(args[0].v_obj + 1);
  if (path.size > 4 && memcmp(path.data + path.size - 4, ".dso", 4) == 0) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "Loader for `.dso` files is not registered");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleLoadFromFile", load)
