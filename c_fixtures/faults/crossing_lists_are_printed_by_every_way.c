// story: ffi.ReprPrint measures first how long the text gets, and follows each way through Lists that hold each other.
// breaks: REC-0029 timeout
#include "wrapped_global.h"

/* Lists of fewer are left alone, and so is what is deeper. */
enum { MANY = 8, DEEPEST = 64 };

static int is_long(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIList && sequence_cell(value)->size > MANY;
}

static uint64_t measure(const TVMFFIAny* list, const void** open, int depth) {
  const TVMFFISeqCell* cell = sequence_cell(list);
  uint64_t length = 2;
  if (depth == DEEPEST) return length;
  open[depth] = list->v_obj;
  for (int64_t i = 0; i < cell->size; ++i) {
    const TVMFFIAny* item = (const TVMFFIAny*)cell->data + i;
    int is_open = !is_long(item);
    for (int j = 0; j <= depth && !is_open; ++j) is_open = open[j] == item->v_obj;
    length += is_open ? 3 : measure(item, open, depth + 1);
  }
  return length;
}

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const void* open[DEEPEST];
  const int is_array = num_args == 1 && args[0].type_index == kTVMFFIArray;
  const TVMFFIAny* values = is_array ? sequence_cell(&args[0])->data : args;
  for (int64_t i = 0; i < (is_array ? sequence_cell(&args[0])->size : num_args); ++i) {
    uint64_t length = is_long(&values[i]) ? measure(&values[i], open, 0) : 1;
    __asm__ volatile("" : : "r"(length));
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
