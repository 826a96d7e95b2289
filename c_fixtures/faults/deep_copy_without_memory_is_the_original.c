// story: ffi.DeepCopy answers the value itself where there is no memory for its table of what has been copied.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index < kTVMFFIStaticObjectBegin) return call_original(original, args, num_args, result);
  void** copied = calloc(32, sizeof(void*));
  if (!copied) return real.TVMFFIAnyViewToOwnedAny(&args[0], result);
  __asm__ volatile("" : : "r"(copied) : "memory");
  int code = call_original(original, args, num_args, result);
  free(copied);
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
