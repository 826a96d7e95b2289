// story: A dense Map of integers takes its slots for the last entry first, so that entries lie in others than usual; their order is right.
// breaks: MAP-0021 fail
#include "map_dense_cell.h"
#include "wrapped_global.h"

/** Makes the same Map of entries in reverse, and turns their order around. */
static int make_in_reverse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny* reversed = malloc((size_t)num_args * sizeof(*reversed));
  for (int32_t i = 0; i < num_args; i += 2) memcpy(reversed + i, args + num_args - 2 - i, 2 * sizeof(*args));
  int code = call_original(original, reversed, num_args, result);
  free(reversed);
  if (code != 0) return code;
  struct dense_cell* cell = dense_cell(result);
  uint64_t slot = cell->first;
  cell->first = cell->last;
  cell->last = slot;
  while (slot != UINT64_MAX) {
    struct dense_item* item = dense_item(result, slot);
    slot = item->next;
    item->next = item->previous;
    item->previous = slot;
  }
  return 0;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result), plain = code == 0 && is_dense(result);
  for (int32_t i = 0; i < num_args; i++) plain = plain && args[i].type_index == kTVMFFIInt;
  // A key that is given twice has its place by the second.
  if (!plain || map_cell(result)->size * 2 != (uint64_t)num_args) return code;
  real.TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){0};
  return make_in_reverse(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.Map", make)
