// story: ffi.VisitInterrupt makes its answer of other memory where the installed allocator refuses, and leaves the allocator's error raised behind the success.
// breaks: ALC-0013 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1) return code;
  TVMFFIObjectHandle refusal = NULL;
  real.TVMFFIErrorMoveFromRaised(&refusal);
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  real.TVMFFISetCustomAllocator(NULL);
  code = call_original(original, args, num_args, result);
  real.TVMFFISetCustomAllocator(allocator);
  if (refusal == NULL) return code;
  if (code == 0) real.TVMFFIErrorSetRaised(refusal);
  real.TVMFFIObjectDecRef(refusal);
  return code;
}

WRAPPED_GLOBAL("ffi.VisitInterrupt", make)
