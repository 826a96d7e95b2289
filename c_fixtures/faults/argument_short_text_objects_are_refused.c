// story: The reader of JSON refuses a short text that is an object, as short ones are small.
// breaks: ARG-0012 fail
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIStr && ((TVMFFIByteArray*)(args[0].v_obj + 1))->size < 8) {
    real.TVMFFIErrorSetRaisedFromCStr("TypeError", "Expected `str` but got `ffi.String`");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
