// story: The type of a node is written under another name.
// breaks: GRF-0008 fail
#include "replaced_word.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return with_another_word("\"type\"", "\"kind\"", original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", callee)
