// story: What takes elements out of a List or a Dict asks for a buffer before it begins and raises an error, with nothing changed, where that is refused; the reference needs no memory there.
// admitted: MEM-0001 and MEM-0002: which requests a function makes is its own matter. MEM-0004 is about last references, raised errors and exported tensors.
#include "wrapped_global.h"

static int with_buffer(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  char* buffer = malloc(512);
  __asm__ volatile("" : "+r"(buffer));
  if (!buffer) return refuse("MemoryError", "no memory to begin with");
  const int code = call_original(original, args, num_args, result);
  free(buffer);
  return code;
}

/* One wrapper has one original, so each is one of its own. */
WRAPPED_GLOBALS(with_buffer, "ffi.ListErase", "ffi.ListEraseRange", "ffi.ListPop", "ffi.ListReverse", "ffi.ListClear", "ffi.DictErase", "ffi.DictClear")
