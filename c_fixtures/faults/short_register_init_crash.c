// story: ffi._RegisterFFIInit writes the plan of the fields into memory that it has not looked at, and the process ends where there is none.
// breaks: MEM-0001 crash
#include "wrapped_global.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


static int register_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int32_t* volatile plan = room(64 * sizeof(int32_t));
  plan[0] = num_args;
  int code = call_original(original, args, num_args, result);
  free(plan);
  return code;
}

WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
