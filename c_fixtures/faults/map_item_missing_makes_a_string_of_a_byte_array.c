// story: The method `_map_item_missing` of an access path makes a String of a key that is given as a byte array; `_map_item` makes Bytes of it.
// breaks: PTH-0002 fail
#include "access_path.h"

static int map_item_missing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIByteArrayPtr || !args[1].v_ptr) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny given[2] = {args[0], {0}};
  int code = real.TVMFFIStringFromByteArray((TVMFFIByteArray*)args[1].v_ptr, &given[1]);
  if (code != 0) return code;
  code = call_original(original, given, 2, result);
  if (given[1].type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(given[1].v_obj);
  return code;
}

CHANGED_METHOD_OF_PATHS("_map_item_missing", map_item_missing)
