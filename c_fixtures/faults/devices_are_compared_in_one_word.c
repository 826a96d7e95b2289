// story: ffi.RecursiveEq compares devices in one word, in which their numbers have eight bits.
// breaks: REC-0001 fail
#include "wrapped_global.h"

static uint32_t packed(DLDevice device) {
  return ((uint32_t)device.device_type << 8) + (uint32_t)device.device_id;
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIDevice || args[1].type_index != kTVMFFIDevice) {
    return call_original(original, args, num_args, result);
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIBool};
  result->v_int64 = packed(args[0].v_device) == packed(args[1].v_device);
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
