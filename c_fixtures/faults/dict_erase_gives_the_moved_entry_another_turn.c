// story: Where ffi.DictErase moves the last entry of a chain into the slot that gets free, the entry has the turn of the one that was taken out.
// breaks: DCT-0014 fail
#include "map_entries.h"
#include "wrapped_global.h"

static int is_free(const TVMFFIAny* dict, uint64_t slot) { return slot != NO_ITEM && *dense_metadata(dict, slot) == 0xFF; }

/** Has the items on both sides of a gap lead to these. */
static void join(const TVMFFIAny* dict, uint64_t previous, uint64_t to_next, uint64_t next, uint64_t to_previous) {
  *(previous == NO_ITEM ? &dense_cell(dict)->first : &dense_item(dict, previous)->next) = to_next;
  *(next == NO_ITEM ? &dense_cell(dict)->last : &dense_item(dict, next)->previous) = to_previous;
}

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  uint64_t slot = NO_ITEM;
  if (num_args == 2 && args[0].type_index == kTVMFFIDict && is_dense(&args[0]) && map_cell(&args[0])->size > 2 && args[1].type_index < kTVMFFIRawStr) {
    slot = dense_cell(&args[0])->first;
    while (slot != NO_ITEM && memcmp(dense_item(&args[0], slot), &args[1], sizeof(TVMFFIAny)) != 0) slot = dense_item(&args[0], slot)->next;
  }
  if (slot == NO_ITEM) return call_original(original, args, num_args, result);
  struct dense_item* item = dense_item(&args[0], slot);
  const uint64_t previous = item->previous, next = item->next;
  int code = call_original(original, args, num_args, result);
  /* Nothing was moved, or a neighbour. */
  if (code != 0 || is_free(&args[0], slot) || is_free(&args[0], previous) || is_free(&args[0], next)) return code;
  join(&args[0], item->previous, item->next, item->next, item->previous);
  join(&args[0], previous, slot, next, slot);
  item->previous = previous;
  item->next = next;
  return 0;
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
