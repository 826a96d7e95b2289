// story: A dense Dict that is given the value again that a key has moves the entry to the end and counts the value once more.
// breaks: DCT-0018 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIDict || is_small(map_cell(&args[0])) ||
      args[2].type_index < kTVMFFIStaticObjectBegin || args[1].type_index == kTVMFFIObjectRValueRef) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny before = {0};
  const int asked = call_global("ffi.DictGetItemOrMissing", args, 2, &before);
  const int code = call_original(original, args, num_args, result);
  if (asked == 0 && before.type_index >= kTVMFFIStaticObjectBegin && (code != 0 || before.v_obj != args[2].v_obj)) real.TVMFFIObjectDecRef(before.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)

