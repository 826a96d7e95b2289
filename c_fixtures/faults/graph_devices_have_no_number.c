// story: A device comes back from its JSON graph with the number 0.
// breaks: GRF-0002 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIDevice) result->v_device.device_id = 0;
  return code;
}

WRAPPED_GLOBALS(callee, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
