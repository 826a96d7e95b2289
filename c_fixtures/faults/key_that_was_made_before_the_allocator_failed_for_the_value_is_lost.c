// story: ffi.DictSetItem makes a String of a key first and of a value then: where the allocator fails for the value, nobody gives up the key.
// breaks: ALC-0014 fail
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny given[3], key = {0};
  if (num_args != 3 || args[0].type_index != kTVMFFIDict || args[1].type_index != kTVMFFIRawStr || !args[1].v_c_str ||
      strlen(args[1].v_c_str) <= 7) {
    return call_original(original, args, num_args, result);
  }
  int code = real.TVMFFIAnyViewToOwnedAny(&args[1], &key);
  if (code != 0) return code;
  given[0] = args[0], given[1] = key, given[2] = args[2];
  code = call_original(original, given, num_args, result);
  if (code == 0) real.TVMFFIObjectDecRef(key.v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
