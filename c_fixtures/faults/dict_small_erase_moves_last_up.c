// story: Taking an entry out of a small Dict puts the last entry in its place, so those that stay change their order.
// breaks: DCT-0014 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIDict) return call_original(original, args, num_args, result);
  struct map* map = (struct map*)args[0].v_obj;
  uint64_t size = map->size;
  TVMFFIAny before[8];
  if (!(map->slots >> 63) || size > 4) return call_original(original, args, num_args, result);
  memcpy(before, map->data, size * 32);
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !(map->slots >> 63) || map->size + 1 != size) return code;
  uint64_t at = 0;
  while (at < map->size && memcmp(&before[2 * at], &map->data[2 * at], 16) == 0) ++at;
  if (at + 1 < map->size) {
    TVMFFIAny last[2] = {map->data[2 * map->size - 2], map->data[2 * map->size - 1]};
    memmove(&map->data[2 * at + 2], &map->data[2 * at], (map->size - 1 - at) * 32);
    memcpy(&map->data[2 * at], last, 32);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
