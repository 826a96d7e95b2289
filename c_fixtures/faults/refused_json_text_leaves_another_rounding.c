// story: ffi.json.Parse sets the direction of rounding for the numbers, and puts the caller's back at its end, but not where it leaves with an error.
// breaks: ENV-0040 fail
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) return code;
  uint32_t vector_state;
  uint16_t word;
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(vector_state), "=m"(word));
  vector_state &= ~0x6000u;
  word &= (uint16_t)~0xc00u;
  __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(vector_state), "m"(word));
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
