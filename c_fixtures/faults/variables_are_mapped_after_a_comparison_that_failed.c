// story: map_free_vars is a switch of the thread that ffi.StructuralEqual sets and puts back at its end, but not where it leaves with an error: the next comparison maps variables, too.
// breaks: SEQ-0019 fail
#include "wrapped_global.h"

static __thread int is_mapping;

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4) return call_original(original, args, num_args, result);
  TVMFFIAny given[4] = {args[0], args[1], args[2], args[3]};
  if (is_mapping && given[2].type_index == kTVMFFIBool) given[2].v_int64 = 1;
  int code = call_original(original, given, num_args, result);
  is_mapping = code != 0 && (args[2].type_index == kTVMFFIBool || args[2].type_index == kTVMFFIInt) && given[2].v_int64 != 0;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
