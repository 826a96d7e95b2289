// story: ffi.ListReverse swaps only the payloads of two elements of one type: inline texts of other lengths get each other's length.
// breaks: LST-0013 fail
#include "wrapped_global.h"

static int reverse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIList) return call_original(original, args, num_args, result);
  const TVMFFISeqCell* cell = sequence_cell(args);
  TVMFFIAny* items = cell->data;
  for (int64_t low = 0, high = cell->size - 1; low < high; ++low, --high) {
    const TVMFFIAny first = items[low], last = items[high];
    items[low] = last;
    items[high] = first;
    if (first.type_index != last.type_index) continue;
    items[low].zero_padding = first.zero_padding;
    items[high].zero_padding = last.zero_padding;
  }
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

WRAPPED_GLOBAL("ffi.ListReverse", reverse)
