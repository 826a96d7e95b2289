// story: A JSON graph with nodes that contain themselves ends the process.
// breaks: GRF-0020 crash
#include "raised_error.h"
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && is_raised_about("itself")) {
    fprintf(stderr, "the stack is full\n");
    abort();
  }
  return code;
}

WRAPPED_GLOBALS(callee, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
