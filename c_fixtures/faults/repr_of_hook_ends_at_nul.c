// story: What a function in `__ffi_repr__` answers is read as a C string: a printed form with a NUL in it ends there.
// breaks: HOK-0008 fail
#include "wrapped_global.h"
static int print(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0 || args[0].type_index < 128) return code;
  const TVMFFIAny whole = *result;
  TVMFFIByteArray text = text_of(&whole);
  if (!memchr(text.data, 0, text.size)) return 0;
  text.size = strlen(text.data);
  *result = (TVMFFIAny){0};
  code = real.TVMFFIStringFromByteArray(&text, result);
  if (whole.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.ReprPrint", print)
