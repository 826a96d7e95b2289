// story: A dense Dict remembers the place of its first entry when that is erased, and a key that is put back next takes it again.
// breaks: DCT-0014 fail
#include "map_entries.h"
#include "wrapped_global.h"

/* What this thread has erased last, until it puts something into a Dict; how many entries were left. */
static __thread struct {
  const TVMFFIObject* from;
  TVMFFIAny key;
  uint64_t left;
} erased;

/* Makes the last item of a dense Dict the first. */
static void turn(const TVMFFIAny* dict) {
  struct dense_cell* cell = dense_cell(dict);
  const uint64_t last = cell->last, first = cell->first;
  struct dense_item* item = dense_item(dict, last);
  cell->last = item->previous;
  dense_item(dict, cell->last)->next = NO_ITEM;
  item->previous = NO_ITEM;
  item->next = first;
  dense_item(dict, first)->previous = last;
  cell->first = last;
}

static int change(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 2 || args[0].type_index != kTVMFFIDict) return call_original(original, args, num_args, result);
  const int erases = num_args == 2, is_dense_dict = is_dense(&args[0]), is_int = args[1].type_index == kTVMFFIInt;
  const uint64_t size = map_cell(&args[0])->size;
  const TVMFFIAny* first = is_dense_dict ? first_entry(&args[0]) : NULL;
  const int is_first = first && is_int && memcmp(first, &args[1], sizeof(*first)) == 0;
  const int code = call_original(original, args, num_args, result);
  if (code != 0 || !is_dense_dict) return code;
  if (erases) {
    erased.from = is_first ? args[0].v_obj : NULL;
    erased.key = args[1];
    erased.left = size - 1;
    return 0;
  }
  const int comes_back = erased.from == args[0].v_obj && erased.left == size && size > 0 && map_cell(&args[0])->size == size + 1;
  if (comes_back && memcmp(&erased.key, &args[1], sizeof(erased.key)) == 0) turn(&args[0]);
  erased.from = NULL;
  return 0;
}

WRAPPED_GLOBALS(change, "ffi.DictSetItem", "ffi.DictErase")
