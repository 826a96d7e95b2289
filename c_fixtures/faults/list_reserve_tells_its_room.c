// story: ffi.ListReserve answers how much room there is.
// breaks: ARG-0013 fail
#include "wrapped_global.h"

static int reserve(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index == kTVMFFIList)
    *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = sequence_cell(&args[0])->capacity};
  return code;
}

WRAPPED_GLOBAL("ffi.ListReserve", reserve)
