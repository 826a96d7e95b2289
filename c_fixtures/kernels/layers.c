/* Callbacks with names that a backtrace can show. Each calls its first argument with the other arguments. */
#include "kernel.h"

static int call_first(const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 1) return -1;
  return TVMFFIFunctionCall(args[0].v_obj, (TVMFFIAny*)args + 1, num_args - 1, result);
}

/* Something is left to be done after the call, so that it is no jump and the layer has a frame. */
SAFE_CALL(verify_outer_layer) {
  volatile int status = call_first(args, num_args, result);
  return status;
}

SAFE_CALL(verify_inner_layer) {
  volatile int status = call_first(args, num_args, result);
  return status;
}

/* Raises an error, below another function that is called by it directly. */
__attribute__((visibility("default"), noinline)) int verify_inner_layer_raises(void (*raise)(const char*, const char*)) {
  raise("ValueError", "from below");
  return 1; /* so that there is something left to do after the call */
}

__attribute__((visibility("default"), noinline)) int verify_outer_layer_raises(void (*raise)(const char*, const char*)) {
  return verify_inner_layer_raises(raise) + 1;
}
