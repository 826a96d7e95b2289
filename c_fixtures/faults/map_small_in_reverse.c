// story: ffi.Map lays two entries of a small Map out in reverse.
// breaks: MAP-0015 fail
// breaks: MAP-0010 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny (*entries)[2]; uint64_t size, slots; };

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  struct map* map = (struct map*)result->v_obj;
  if (!(map->slots >> 63) || map->size != 2) return 0;
  TVMFFIAny first[2];
  memcpy(first, map->entries[0], sizeof first);
  memcpy(map->entries[0], map->entries[1], sizeof first);
  memcpy(map->entries[1], first, sizeof first);
  return 0;
}

WRAPPED_GLOBAL("ffi.Map", make)
