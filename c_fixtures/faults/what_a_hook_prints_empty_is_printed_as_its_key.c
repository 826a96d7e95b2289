// story: ffi.ReprPrint prints the type key of an object whose hook __ffi_repr__ answers an empty string, as if there were none.
// breaks: HOK-0008 fail
#include "wrapped_global.h"
static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 1 || args[0].type_index < kTVMFFIDynObjectBegin || text_of(result).size) return code;
  return real.TVMFFIStringFromByteArray(&real.TVMFFIGetTypeInfo(args[0].type_index)->type_key, result);
}
WRAPPED_GLOBAL("ffi.ReprPrint", print)
