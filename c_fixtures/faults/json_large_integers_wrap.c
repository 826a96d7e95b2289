// story: A whole JSON number that does not fit in 64 bits is read as the largest integer.
// breaks: JSN-0004 fail
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIFloat || args[0].type_index != kTVMFFIStr) return code;
  const TVMFFIByteArray* text = (TVMFFIByteArray*)(args[0].v_obj + 1);
  size_t digits = strspn(text->data, "-0123456789");
  if (digits == text->size) *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = INT64_MAX};
  return 0;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
