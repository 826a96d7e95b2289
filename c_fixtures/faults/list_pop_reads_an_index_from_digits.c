// story: ffi.ListPop reads a text of digits as an index.
// breaks: LST-0025 fail
#include "wrapped_global.h"

static int pop(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray digits = num_args == 2 ? text_of(&args[1]) : (TVMFFIByteArray){"", 0};
  if (digits.size != 1 || digits.data[0] < '0' || digits.data[0] > '9') return call_original(original, args, num_args, result);
  const TVMFFIAny with_index[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = digits.data[0] - '0'}};
  return call_original(original, with_index, 2, result);
}

WRAPPED_GLOBAL("ffi.ListPop", pop)
