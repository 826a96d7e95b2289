// story: With TVM_FFI_REPR_WITH_ADDR=1, ffi.ReprPrint prints containers that are empty without their address.
// breaks: REC-0040 fail
#include "answered_text.h"
#include "wrapped_global.h"

/* Whether an empty container ends here, outside of texts. */
static int is_empty_container(const char* begin, size_t size) {
  if (size < 2 || (size > 2 && !strchr("([{ ", begin[size - 3]))) return 0;
  const char* last = begin + size - 2;
  return memcmp(last, "()", 2) == 0 || memcmp(last, "[]", 2) == 0 || memcmp(last, "{}", 2) == 0;
}

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const char* wanted = getenv("TVM_FFI_REPR_WITH_ADDR");
  int code = call_original(original, args, num_args, result), quoted = 0;
  if (code != 0 || !wanted || strcmp(wanted, "1") != 0) return code;
  const TVMFFIByteArray text = text_of(result);
  char* kept = malloc(text.size + 1);
  size_t size = 0;
  for (size_t i = 0; i < text.size; ++i) {
    kept[size++] = text.data[i];
    if (quoted && text.data[i] == '\\' && i + 1 < text.size) {
      kept[size++] = text.data[++i];
    } else if (text.data[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && is_empty_container(kept, size) && i + 3 < text.size && memcmp(text.data + i + 1, "@0x", 3) == 0) {
      for (i += 3; i + 1 < text.size && strchr("0123456789abcdef", text.data[i + 1]);) ++i;
    }
  }
  if (size != text.size) code = answer_instead(result, kept, size);
  free(kept);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
