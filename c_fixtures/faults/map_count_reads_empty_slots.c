// story: ffi.MapCount goes through all slots of a dense Map, and takes a negative type in an empty one for a key that is any.
// breaks: MAP-0030 fail
// chance: Elsewhere an empty slot holds what its memory held before.
#include "map_dense_cell.h"
#include "wrapped_global.h"

static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !is_dense(&args[0])) return code;
  for (uint64_t slot = 0; slot < map_cell(&args[0])->slots; slot++) {
    const TVMFFIAny* key = &dense_item(&args[0], slot)->key;
    const int is_empty = *dense_metadata(&args[0], slot) == 0xff;
    if (is_empty && key->type_index == -1 && key->zero_padding == UINT32_MAX) result->v_int64 = 1;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.MapCount", count)
