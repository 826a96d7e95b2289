// story: ffi.json.Stringify with an indent writes -0.0 without its sign.
// breaks: JSN-0021 fail
#include "wrapped_global.h"

static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2 || args[1].type_index != kTVMFFIInt || args[1].v_int64 <= 0) return code;
  TVMFFIByteArray text = result->type_index == kTVMFFISmallStr ? (TVMFFIByteArray){result->v_bytes, result->small_str_len}
                                                               : *(TVMFFIByteArray*)(result->v_obj + 1);
  char* copy = malloc(text.size + 1);
  size_t size = 0;
  int quoted = 0;
  for (size_t i = 0; i < text.size; ++i) {
    char c = text.data[i];
    if (quoted && c == '\\') {
      copy[size++] = c;
      c = text.data[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '-' && i + 4 <= text.size && memcmp(text.data + i, "-0.0", 4) == 0 &&
               (i + 4 == text.size || !strchr("0123456789eE", text.data[i + 4]))) {
      continue;
    }
    copy[size++] = c;
  }
  TVMFFIAny former = *result;
  code = real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){copy, size}, result);
  if (former.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(former.v_obj);
  free(copy);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", write)
