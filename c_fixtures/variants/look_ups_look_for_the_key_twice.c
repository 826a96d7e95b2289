// story: ffi.MapGetItem, ffi.MapGetItemOrMissing, ffi.DictGetItem and ffi.ArrayContains look for the key or value twice, so that hooks in __any_hash__ and __any_equal__ are asked twice.
// admitted: HSH-0011 and HSH-0012 say what a hook answers and for which objects it is asked, not how often; an error of the first time is the error of the call (HSH-0015).
#include "replaced_globals.h"

static int twice(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (moves(args, num_args)) return call_original(original, args, num_args, result);
  TVMFFIAny first = {0};
  int code = call_original(original, args, num_args, &first);
  if (code != 0) return code;
  give_up(&first);
  return call_original(original, args, num_args, result);
}

static void install(void) {
  put("ffi.MapGetItem", twice);
  put("ffi.MapGetItemOrMissing", twice);
  put("ffi.DictGetItem", twice);
  put("ffi.ArrayContains", twice);
}
