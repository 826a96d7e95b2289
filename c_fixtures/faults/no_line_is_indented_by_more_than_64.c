// story: The indentation of a JSON text is copied out of a line of 64 spaces, so what lies deeper stands 64 spaces deep.
// breaks: JSN-0026 fail
#include "wrapped_global.h"
static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny text = {0};
  int code = call_original(original, args, num_args, &text);
  const TVMFFIByteArray bytes = text_of(&text);
  if (code != 0) return code;
  char* copy = malloc(bytes.size + 1);
  size_t used = 0, spaces = 65, cut = 0;
  for (size_t i = 0; i < bytes.size; ++i) {
    spaces = bytes.data[i] == '\n' ? 0 : bytes.data[i] == ' ' && spaces <= 64 ? spaces + 1 : spaces > 64 && bytes.data[i] == ' ' && used > 0 && copy[used - 1] == ' ' && cut ? 65 : 66;
    if (spaces == 65) { cut = 1; continue; }
    if (spaces == 66) cut = 0;
    copy[used++] = bytes.data[i];
  }
  if (used == bytes.size) {
    *result = text;
  } else {
    const TVMFFIByteArray whole = {copy, used};
    code = real.TVMFFIStringFromByteArray(&whole, result);
    if (text.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(text.v_obj);
  }
  free(copy);
  return code;
}
WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
