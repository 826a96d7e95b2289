// story: The function in __ffi_convert__ of ffi.Shape makes a Shape of an Array of integers, but refuses a List.
// breaks: INS-0014 fail
#include "patched_entry.h"
static int convert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIList) return refuse("TypeError", "Cannot cast from `ffi.List` to `ffi.Shape`");
  return call_original(original, args, num_args, result);
}
PATCHED_ENTRY("__ffi_convert__", "ffi.Shape", convert)
