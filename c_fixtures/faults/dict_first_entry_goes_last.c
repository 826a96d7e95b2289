// story: When a small Dict gets its fifth entry, the first one is moved to the end.
// breaks: DCT-0010 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int64_t count_of(const TVMFFIAny* args) {
  TVMFFIAny count = {0};
  return call_global("ffi.DictCount", args, 2, &count) == 0 ? count.v_int64 : 0;
}

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIDict || map_cell(&args[0])->size != 4 ||
      !is_small(map_cell(&args[0])) || count_of(args) != 0) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny first[3] = {args[0]}, none = {0};
  for (int i = 0; i < 2; ++i) real.TVMFFIAnyViewToOwnedAny(&map_cell(&args[0])->data[i], &first[i + 1]);
  call_global("ffi.DictErase", first, 2, &none);
  int code = call_original(original, args, num_args, result);
  if (code == 0) code = call_original(original, first, 3, result);
  for (int i = 1; i < 3; ++i) {
    if (first[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(first[i].v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
