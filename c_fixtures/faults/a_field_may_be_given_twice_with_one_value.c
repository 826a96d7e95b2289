// story: ffi.MakeObjectFromPackedArgs takes a field that is given twice if both values are the same.
// breaks: INS-0021 fail
#include "wrapped_global.h"
static int same(TVMFFIByteArray left, TVMFFIByteArray right) {
  return left.size == right.size && left.size && memcmp(left.data, right.data, left.size) == 0;
}
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny* given = malloc(sizeof(*given) * (size_t)(num_args + 1));
  int32_t count = 0;
  for (int32_t i = 0; i < num_args; ++i) {
    int known = 0;
    if (i % 2 == 1 && i + 1 < num_args) {
      for (int32_t j = 1; j + 1 < count && !known; j += 2) {
        known = same(text_of(&given[j]), text_of(&args[i])) && memcmp(&given[j + 1], &args[i + 1], sizeof(*args)) == 0;
      }
    }
    if (known) ++i; else given[count++] = args[i];
  }
  int code = call_original(original, given, count, result);
  free(given);
  return code;
}
WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
