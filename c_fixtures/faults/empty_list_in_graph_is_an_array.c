// story: ffi.ToJSONGraphString writes a List without elements by the branch for empty sequences, which are Arrays there.
// breaks: GRF-0005 fail
#include "answered_text.h"
#include "wrapped_global.h"

static int to_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char old[] = "{\"type\":\"ffi.List\",\"data\":[]}", other[] = "{\"type\":\"ffi.Array\",\"data\":[]}";
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray text = text_of(result);
  char* changed = malloc(2 * text.size + 1);
  size_t size = 0;
  for (size_t i = 0; i < text.size;) {
    if (i + sizeof(old) - 1 <= text.size && memcmp(text.data + i, old, sizeof(old) - 1) == 0) {
      memcpy(changed + size, other, sizeof(other) - 1);
      size += sizeof(other) - 1;
      i += sizeof(old) - 1;
    } else {
      changed[size++] = text.data[i++];
    }
  }
  if (size != text.size) code = answer_instead(result, changed, size);
  free(changed);
  return code;
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", to_graph)
