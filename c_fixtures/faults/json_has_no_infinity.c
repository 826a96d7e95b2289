// story: The names NaN, Infinity and -Infinity are refused.
// breaks: JSN-0013 fail
#include "wrapped_global.h"

static TVMFFIByteArray text_of(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFIRawStr) return (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
  if (value->type_index == kTVMFFISmallStr) return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  if (value->type_index == kTVMFFIStr) return *(TVMFFIByteArray*)(value->v_obj + 1);
  return (TVMFFIByteArray){"", 0};
}

static int refuse(const char* kind, const char* message) {
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray text = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  for (size_t i = 0; i + 1 < text.size; ++i) {
    if (text.data[i] == 'N' || text.data[i] == 'I') return refuse("ValueError", "unexpected character");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Parse", callee)
