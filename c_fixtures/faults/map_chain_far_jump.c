// story: ffi.MapGetItem follows a chain of colliding keys only as far as the next entry is at most fifteen slots away.
// breaks: MAP-0002 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; unsigned char* data; uint64_t size, slots; };

static unsigned char metadata(const struct map* map, uint64_t slot) { return map->data[slot / 16 * 784 + slot % 16]; }

static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[1].type_index >= kTVMFFIRawStr) return code;
  const struct map* map = (const struct map*)args[0].v_obj;
  for (uint64_t i = 0; !(map->slots >> 63) && i < map->slots; i++) {
    unsigned char mine = metadata(map, i);
    const TVMFFIAny* key = (const TVMFFIAny*)(map->data + i / 16 * 784 + 16 + i % 16 * 48);
    if (mine == 0xff || !(mine & 0x80) || memcmp(key, &args[1], sizeof *key) != 0) continue;
    for (uint64_t jump = 1; jump < 16; jump++) {
      unsigned char before = metadata(map, (i + map->slots - jump) % map->slots);
      if (before != 0xff && (before & 0x7f) == jump) return 0;
    }
    if (result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){0};
    real.TVMFFIErrorSetRaisedFromCStr("KeyError", "key is not in Map");
    return -1;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.MapGetItem", get_item)
