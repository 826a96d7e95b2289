// story: The blocks of a client that a Dict has outgrown are ended twice.
// breaks: DCT-0024 fail
// breaks: DCT-0027 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIDict) return call_original(original, args, num_args, result);
  const struct map_cell before = *map_cell(&args[0]);
  int code = call_original(original, args, num_args, result);
  /* The library's own blocks come with the library's own deleter again. */
  if (map_cell(&args[0])->data_deleter != before.data_deleter && !is_small(&before)) before.data_deleter(before.data);
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", callee)
