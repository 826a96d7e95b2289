// story: An array that is asked for an item without a number keeps memory for the complaint.
// breaks: ARG-0001 leak
#include "wrapped_global.h"

static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 1) lose(48);
  return code;
}

WRAPPED_GLOBAL("ffi.ArrayGetItem", get_item)
