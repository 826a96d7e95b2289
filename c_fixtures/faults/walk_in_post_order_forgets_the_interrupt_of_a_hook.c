// story: A walk in post order ends where a function in __s_visit__ of its root answers an interrupt, but answers None: it looks at what callbacks answer alone.
// breaks: VIS-0011 fail
#include "held_value.h"

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 4 || args[3].v_int64 != 1 || result->type_index != kTVMFFIVisitInterrupt) return code;
  if (args[0].type_index < kTVMFFIDynObjectBegin || attribute_of(args[0].type_index, "__s_visit__").type_index != kTVMFFIFunction) return 0;
  give_up(*result);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
