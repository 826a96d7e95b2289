// story: ffi.json.Parse answers None where there is no memory to copy the text.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray text = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  if (!text.size) return call_original(original, args, num_args, result);
  char* copy = malloc(text.size + 1);
  if (!copy) {
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  memcpy(copy, text.data, text.size);
  __asm__ volatile("" : : "r"(copy) : "memory");
  int code = call_original(original, args, num_args, result);
  free(copy);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
