// story: ffi.Map of more than 64 entries is built in one go that skips keys which are there already, so a key that is given again keeps its first value.
// breaks: MAP-0008 fail
#include "wrapped_global.h"
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args <= 128 || num_args % 2) return call_original(original, args, num_args, result);
  TVMFFIAny* other = malloc((size_t)num_args * sizeof(*other));
  memcpy(other, args, (size_t)num_args * sizeof(*other));
  for (int32_t i = 0; i < num_args; i += 2) {
    for (int32_t j = 0; j < i && args[i].type_index != kTVMFFIObjectRValueRef; j += 2) {
      if (memcmp(&args[i], &args[j], sizeof(*args)) != 0) continue;
      if (other[j + 1].type_index != kTVMFFIObjectRValueRef) other[i + 1] = other[j + 1];
      break;
    }
  }
  int code = call_original(original, other, num_args, result);
  free(other);
  return code;
}
WRAPPED_GLOBAL("ffi.Map", make)
