// story: The method _map_item_missing of an access path stores the key true as the integer 1.
// breaks: PTH-0002 fail
#include "access_path.h"

static int map_item_missing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIBool) return call_original(original, args, num_args, result);
  TVMFFIAny copy[2] = {args[0], args[1]};
  copy[1].type_index = kTVMFFIInt;
  return call_original(original, copy, 2, result);
}

CHANGED_METHOD_OF_PATHS("_map_item_missing", map_item_missing)
