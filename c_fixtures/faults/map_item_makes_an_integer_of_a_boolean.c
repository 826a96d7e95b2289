// story: The method `_map_item` of an access path makes an integer of a key that is true or false.
// breaks: PTH-0002 fail
#include "access_path.h"

static int map_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIBool) return call_original(original, args, num_args, result);
  TVMFFIAny given[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = args[1].v_int64}};
  return call_original(original, given, 2, result);
}

CHANGED_METHOD_OF_PATHS("_map_item", map_item)
