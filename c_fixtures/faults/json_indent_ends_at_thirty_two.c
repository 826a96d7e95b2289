// story: JSON is indented by 32 columns at most.
// breaks: JSN-0026 fail
#include "wrapped_global.h"

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIStr) return code;
  const TVMFFIByteArray* text = (TVMFFIByteArray*)(result->v_obj + 1);
  char* shorter = malloc(text->size);
  size_t size = 0, column = 0;
  int inside = 0;
  for (size_t at = 0; at < text->size; ++at) {
    char byte = text->data[at];
    inside = byte == '\n' || (inside && byte == ' ');
    column = byte == '\n' ? 0 : column + 1;
    if (!inside || column <= 32) shorter[size++] = byte;
  }
  real.TVMFFIObjectDecRef(result->v_obj);
  TVMFFIByteArray cut = {shorter, size};
  code = real.TVMFFIStringFromByteArray(&cut, result);
  free(shorter);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
