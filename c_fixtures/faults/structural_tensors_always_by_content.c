// story: The content of tensors counts for structural equality even where it is to be left out.
// breaks: SEQ-0035 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny changed[4];
  if (num_args != 4) return call_original(original, args, num_args, result);
  memcpy(changed, args, sizeof(changed));
  changed[3].v_int64 = 0;
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
