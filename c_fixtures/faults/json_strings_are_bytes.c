// story: Strings of a JSON text are read as Bytes.
// breaks: JSN-0005 fail
#include "wrapped_global.h"

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
