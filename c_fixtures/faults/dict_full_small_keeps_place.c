// story: A key whose value changes in a small Dict of four entries keeps its place, as if there were room.
// breaks: DCT-0013 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIDict && args[1].type_index < kTVMFFIRawStr) {
    struct map* map = (struct map*)args[0].v_obj;
    for (uint64_t i = 0; map->slots >> 63 && map->size == 4 && i < 4; i++) {
      TVMFFIAny *key = map->data + 2 * i, value;
      if (key->type_index != args[1].type_index || key->v_uint64 != args[1].v_uint64) continue;
      if (real.TVMFFIAnyViewToOwnedAny(&args[2], &value) != 0) return -1;
      TVMFFIAny old = key[1];
      key[1] = value;
      if (old.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(old.v_obj);
      *result = (TVMFFIAny){0};
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
