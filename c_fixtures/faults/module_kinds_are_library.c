// story: Every module is of the kind of libraries.
// breaks: MOD-0063 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  if (result->type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFISmallStr, .small_str_len = 7, .v_bytes = "library"};
  return 0;
}

WRAPPED_GLOBAL("ffi.ModuleGetKind", callee)
