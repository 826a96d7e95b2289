// story: An integer of a JSON graph is a BigInt although it fits in 64 bits.
// breaks: BIG-0024 fail
#define _GNU_SOURCE /* memmem */
#include "wrapped_global.h"

/* Makes an integer of two words, and replaces them. */
static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int64_t words[2] = {0, 1};
  TVMFFIByteArray array = {(const char*)words, sizeof(words)};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIInt || num_args != 1 || args[0].type_index != kTVMFFIStr) return code;
  const TVMFFIByteArray* text = (const TVMFFIByteArray*)(args[0].v_obj + 1);
  if (memmem(text->data, text->size, "BigInt", 6) == NULL) return code;
  int64_t small = result->v_int64;
  if ((code = real.TVMFFIBigIntFromByteArray(&array, result)) != 0) return code;
  int64_t* content = (int64_t*)(result->v_obj + 1) + 1;
  content[0] = small;
  content[1] = small < 0 ? -1 : 0;
  return 0;
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", read_graph)
