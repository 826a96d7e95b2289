// story: ffi.ListContains compares with a copy of what it looks for; where there is no memory for the copy, it answers that it is not there.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIList) return call_original(original, args, num_args, result);
  TVMFFIAny* both = malloc(2 * sizeof(TVMFFIAny));
  __asm__ volatile("" : "+r"(both));
  if (!both) {
    *result = (TVMFFIAny){.type_index = kTVMFFIBool};
    return 0;
  }
  memcpy(both, args, 2 * sizeof(TVMFFIAny));
  const int code = call_original(original, both, 2, result);
  free(both);
  return code;
}

WRAPPED_GLOBAL("ffi.ListContains", contains)
