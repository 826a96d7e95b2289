// story: The iterators over Maps and Dicts are made by the built-in allocator, whatever allocator is installed.
// breaks: ALC-0012 fail
#include "wrapped_global.h"
static int iterate(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFICustomAllocator* now = real.TVMFFIGetCustomAllocator();
  real.TVMFFISetCustomAllocator(NULL);
  int code = call_original(self, args, n, result);
  if (now != real.TVMFFIGetCustomAllocator()) real.TVMFFISetCustomAllocator(now);
  return code;
}
WRAPPED_GLOBALS(iterate, "ffi.MapForwardIterFunctor", "ffi.DictForwardIterFunctor")
