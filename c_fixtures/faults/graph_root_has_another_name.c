// story: The number of the root node is written under another name.
// breaks: GRF-0007 fail
#include "replaced_word.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return with_another_word("\"root_index\"", "\"root_place\"", original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", callee)
