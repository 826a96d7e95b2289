// story: ffi.ToJSONGraph leaves metadata out that is false, zero or an empty string, as if it were None.
// breaks: GRF-0011 fail
#include "wrapped_global.h"

static int to_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2) return call_original(original, args, num_args, result);
  TVMFFIAny copy[2] = {args[0], args[1]};
  int32_t index = copy[1].type_index;
  if (((index == kTVMFFIInt || index == kTVMFFIBool) && copy[1].v_int64 == 0) || (index == kTVMFFISmallStr && copy[1].small_str_len == 0)) {
    copy[1] = (TVMFFIAny){0};
  }
  return call_original(original, copy, 2, result);
}

WRAPPED_GLOBAL("ffi.ToJSONGraph", to_graph)
