// story: With TVM_FFI_REPR_WITH_ADDR=1, ffi.ReprPrint prints what stands twice with its address the first time alone.
// breaks: REC-0040 fail
#include "answered_text.h"
#include "wrapped_global.h"

static int was_there(const char* begin, size_t size, const char* address, size_t digits) {
  for (size_t i = 0; i + digits <= size; ++i) {
    if (memcmp(begin + i, address, digits) == 0) return 1;
  }
  return 0;
}

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const char* wanted = getenv("TVM_FFI_REPR_WITH_ADDR");
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !wanted || strcmp(wanted, "1") != 0) return code;
  const TVMFFIByteArray text = text_of(result);
  char* kept = malloc(text.size + 1);
  size_t size = 0;
  for (size_t i = 0; i < text.size;) {
    size_t digits = 0;
    if (i + 3 < text.size && memcmp(text.data + i, "@0x", 3) == 0) {
      for (digits = 3; i + digits < text.size && strchr("0123456789abcdef", text.data[i + digits]);) ++digits;
    }
    if (digits > 3 && was_there(kept, size, text.data + i, digits)) {
      i += digits;
    } else {
      kept[size++] = text.data[i++];
    }
  }
  if (size != text.size) code = answer_instead(result, kept, size);
  free(kept);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
