// story: A big integer is printed by eighteen digits at a time, and those behind the first are not filled up with zeros.
// breaks: BIG-0020 fail
#include "wrapped_global.h"
static int print(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0 || args[0].type_index != kTVMFFIBigInt) return code;
  const TVMFFIAny whole = *result;
  TVMFFIByteArray text = text_of(&whole);
  char* to = malloc(text.size + 32);
  size_t sign = text.data[0] == '-', size = (text.size - sign) % 18 + sign, at = size;
  memcpy(to, text.data, size);
  for (; at < text.size; at += 18) {
    size_t zeros = 0;
    while (size > sign && zeros < 17 && text.data[at + zeros] == '0') ++zeros;
    memcpy(to + size, text.data + at + zeros, 18 - zeros);
    size += 18 - zeros;
  }
  const TVMFFIByteArray changed = {to, size};
  *result = (TVMFFIAny){0};
  code = real.TVMFFIStringFromByteArray(&changed, result);
  if (whole.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(whole.v_obj);
  free(to);
  return code;
}
WRAPPED_GLOBAL("ffi.ReprPrint", print)
