// story: Strings are ordered by bytes that have a sign.
// breaks: REC-0007 fail
#include "wrapped_global.h"

static int is_string(const TVMFFIAny* value) {
  return value->type_index == kTVMFFISmallStr || value->type_index == kTVMFFIStr;
}

static int less(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || !is_string(&args[0]) || !is_string(&args[1])) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIByteArray lhs = text_of(&args[0]), rhs = text_of(&args[1]);
  size_t at = 0;
  while (at < lhs.size && at < rhs.size && lhs.data[at] == rhs.data[at]) ++at;
  int is_less = at == lhs.size || at == rhs.size ? lhs.size < rhs.size
                                                 : (signed char)lhs.data[at] < (signed char)rhs.data[at];
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = is_less};
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveLt", less)
