// story: ffi.DictErase given a Map with one reference takes it for its own, and erases in place what the caller still has.
// breaks: DCT-0021 fail
#include "wrapped_global.h"

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIMap || args[0].v_obj->combined_ref_count != 0x100000001) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny changed[2] = {args[0], args[1]};
  changed[0].type_index = args[0].v_obj->type_index = kTVMFFIDict;
  int code = call_original(original, changed, num_args, result);
  args[0].v_obj->type_index = kTVMFFIMap;
  return code;
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
