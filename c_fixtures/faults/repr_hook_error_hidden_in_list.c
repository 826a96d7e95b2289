// story: ffi.ReprPrint of a List answers dots in brackets when the printing hook of an element raises an error.
// breaks: HOK-0009 fail
#include "wrapped_global.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1 || args[0].type_index != kTVMFFIList) return code;
  real.TVMFFIErrorSetRaised(NULL);
  return real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){"[...]", 5}, result);
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
