// story: ffi.ListReserve multiplies the number by the size of an element and takes what is left for the bytes that it needs.
// breaks: LST-0015 fail
#include "wrapped_global.h"

static int reserve(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[1].type_index == kTVMFFIInt && args[1].v_int64 > 0) {
    uint64_t bytes = (uint64_t)args[1].v_int64 * sizeof(TVMFFIAny);
    TVMFFIAny mine[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = (int64_t)(bytes / sizeof(TVMFFIAny))}};
    return call_original(original, mine, 2, result);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListReserve", reserve)
