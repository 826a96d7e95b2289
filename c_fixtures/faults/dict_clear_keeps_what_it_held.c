// story: A Dict that is cleared does not let go of what it held.
// breaks: DCT-0018 fail
#include "wrapped_global.h"

static int clear(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIDict) {
    const uint64_t* cell = (const uint64_t*)(args[0].v_obj + 1);
    const TVMFFIAny* entries = (const TVMFFIAny*)cell[0];
    for (uint64_t i = 0; cell[2] >> 63 && i < 2 * cell[1]; ++i) {
      if (entries[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(entries[i].v_obj);
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictClear", clear)
