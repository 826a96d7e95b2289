// story: The search for a device that is not the CPU keeps its work list, of 8192 entries, in an array on the stack instead of on the heap.
// breaks: HOK-0026 crash
#include "wrapped_global.h"

/* The array is cleared at the beginning, as the engineer's is. */
static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny work[8192];
  memset(work, 0, sizeof(work));
  __asm__ volatile("" : : "r"(work) : "memory");
  int code = call_original(original, args, num_args, result);
  __asm__ volatile("" : : "r"(work) : "memory");
  return code;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", callee)
