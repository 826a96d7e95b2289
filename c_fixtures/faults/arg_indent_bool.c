// story: ffi.json.Stringify refuses a boolean for its indent, which is an optional integer.
// breaks: ARG-0004 fail
#include "wrapped_global.h"
static int write_text(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 2 && args[1].type_index == kTVMFFIBool)
    return refuse("TypeError", "Mismatched type on argument #1 when calling: `ffi.json.Stringify(0: Any, 1: Optional<int>) -> str`. Expected `Optional<int>` but got `bool`");
  return call_original(self, args, n, result);
}
WRAPPED_GLOBAL("ffi.json.Stringify", write_text)
