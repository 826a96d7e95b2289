// story: The loader of libraries takes no empty format beside a path that is a String.
// breaks: MOD-0001 fail
#include "wrapped_global.h"

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIStr && args[1].type_index == kTVMFFISmallStr && args[1].small_str_len == 0) {
    real.TVMFFIErrorSetRaisedFromCStr("ValueError", "a library has the format so");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)
