// story: The search in a dense Map knows the sixteen short jumps alone: a key behind a jump of 21 slots or more is not found.
// breaks: MAP-0002 fail
#include "map_dense_cell.h"
#include "wrapped_global.h"

/** Whether the chain of this integer comes to a long jump before it comes to the integer. */
static int is_behind_a_long_jump(const TVMFFIAny* map, const TVMFFIAny* key) {
  if (map->type_index != kTVMFFIMap || !is_dense(map) || map_cell(map)->size == 0 || key->type_index != kTVMFFIInt) return 0;
  const uint64_t hash = 1 ^ ((uint64_t)key->v_int64 + 0x9e3779b9 + (1 << 6));
  uint64_t slot = (hash * 11400714819323198485ull) >> dense_cell(map)->fib_shift;
  for (;;) {
    const TVMFFIAny* known = &dense_item(map, slot)->key;
    const unsigned char jump = *dense_metadata(map, slot) & 0x7f;
    if (*dense_metadata(map, slot) == 0xff || (known->type_index == kTVMFFIInt && known->v_int64 == key->v_int64) || jump == 0) return 0;
    if (jump > 15) return 1;
    slot = (slot + jump) % map_cell(map)->slots;
  }
}

static int look(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static char nowhere;
  if (num_args != 2 || !is_behind_a_long_jump(&args[0], &args[1])) return call_original(original, args, num_args, result);
  const TVMFFIAny missing[2] = {args[0], {.type_index = kTVMFFIOpaquePtr, .v_ptr = &nowhere}};
  return call_original(original, missing, num_args, result);
}

WRAPPED_GLOBALS(look, "ffi.MapGetItem", "ffi.MapCount", "ffi.MapGetItemOrMissing")
