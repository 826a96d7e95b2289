// story: Strings of a JSON text are read as Bytes.
// breaks: JSN-0005 fail
#include "wrapped_global.h"

static TVMFFIByteArray text_of(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFIRawStr) return (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
  if (value->type_index == kTVMFFISmallStr) return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  if (value->type_index == kTVMFFIStr) return *(TVMFFIByteArray*)(value->v_obj + 1);
  return (TVMFFIByteArray){"", 0};
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (result->type_index != kTVMFFISmallStr && result->type_index != kTVMFFIStr)) return code;
  const TVMFFIAny text = *result;
  const TVMFFIByteArray bytes = text_of(&text);
  code = real.TVMFFIBytesFromByteArray(&bytes, result);
  if (text.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(text.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", callee)
