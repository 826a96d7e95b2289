// story: The context of a failed structural map takes the place of the one that the error had, which is dropped; a walk keeps it.
// breaks: VIS-0054 fail
#include "lost_context.h"
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) lose_former_context();
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
