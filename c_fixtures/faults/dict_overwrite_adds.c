// story: A value that is set for the first of three keys is put under a copy of the key, behind the first.
// breaks: DCT-0003 fail
// breaks: DCT-0011 fail
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIDict) return call_original(original, args, num_args, result);
  uint64_t* cell = (uint64_t*)(args[0].v_obj + 1);
  TVMFFIAny* entries = (TVMFFIAny*)cell[0];
  int small_with_room = cell[2] >> 63 && cell[1] == 3 && (cell[2] & 7) > 3;
  if (!small_with_room || args[1].type_index != kTVMFFIInt || args[2].type_index != kTVMFFIInt ||
      memcmp(&entries[0], &args[1], sizeof(TVMFFIAny)) != 0) {
    return call_original(original, args, num_args, result);
  }
  entries[2 * cell[1]] = args[1];
  entries[2 * cell[1] + 1] = args[2];
  cell[1] += 1;
  return 0;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
