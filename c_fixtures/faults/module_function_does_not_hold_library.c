// story: A function does not count as a user of its library, which is unloaded under it.
// breaks: MOD-0009 crash
#include "wrapped_global.h"

/* Only where imports are not asked for the function increment. */
static int get_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args == 3 && args[1].type_index == kTVMFFIRawStr &&
      strcmp(args[1].v_c_str, "increment") == 0 && args[2].v_int64 == 0) {
    real.TVMFFIObjectDecRef(args[0].v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get_function)
