// story: The recursive hash of a List that others hold, too, is remembered, and only its size, its first and its last element tell whether it is the same.
// breaks: REC-0011 fail
#include "wrapped_global.h"

static _Thread_local struct {
  TVMFFISeqCell cell;
  TVMFFIAny first, last, hash;
} last;

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFISeqCell* cell = num_args == 1 && args[0].type_index == kTVMFFIList ? sequence_cell(&args[0]) : NULL;
  if (!cell || cell->size < 3 || (uint32_t)args[0].v_obj->combined_ref_count < 2) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFIAny *first = cell->data, *end = first + cell->size - 1;
  const int is_known = last.cell.data == cell->data && last.cell.size == cell->size && memcmp(&last.first, first, sizeof(*first)) == 0 &&
                       memcmp(&last.last, end, sizeof(*end)) == 0;
  if (is_known) {
    *result = last.hash;
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code == 0) {
    last.cell = *cell;
    last.first = *first;
    last.last = *end;
    last.hash = *result;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
