// story: Where ffi.json.Stringify is refused the memory for its text, the writer of the thread stays taken, and each later text is refused.
// breaks: MEM-0003 fail
#include "wrapped_global.h"

static __thread int taken;

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (taken) return refuse("RuntimeError", "the writer is in use");
  taken = 1;
  char* text = malloc(256);
  __asm__ volatile("" : "+r"(text));
  if (!text) return refuse("MemoryError", "no memory for the text");
  taken = 0;
  const int code = call_original(original, args, num_args, result);
  free(text);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
