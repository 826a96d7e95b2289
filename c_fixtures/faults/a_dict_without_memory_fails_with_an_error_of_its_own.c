// story: ffi.Dict tells in its own words that there is no memory, whatever the allocator has said.
// breaks: ALC-0013 fail
#include "wrapped_global.h"
#include "raised_error.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  const int is_memory = is(&error_cell(error)->kind, "MemoryError");
  if (!is_memory) real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return is_memory ? refuse("MemoryError", "no room for the Dict") : code;
}

WRAPPED_GLOBAL("ffi.Dict", make)
