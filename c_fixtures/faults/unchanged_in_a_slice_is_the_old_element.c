// story: The marker of an unchanged value in a slice that takes the place of another leaves the element there as it is.
// breaks: LST-0036 fail
#include "wrapped_global.h"

static int replace_slice(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFIList || args[3].type_index != kTVMFFIList ||
      args[1].type_index != kTVMFFIInt || args[2].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell *list = sequence_cell(&args[0]), *given = sequence_cell(&args[3]);
  const int64_t begin = args[1].v_int64, end = args[2].v_int64;
  if (begin < 0 || end < begin || end > list->size) return call_original(original, args, num_args, result);
  TVMFFIAny* items = calloc((size_t)given->size + 1, sizeof(TVMFFIAny));
  int changed = 0;
  for (int64_t i = 0; i < given->size; ++i) {
    items[i] = ((const TVMFFIAny*)given->data)[i];
    if (items[i].type_index != kTVMFFIUnchanged || i >= end - begin) continue;
    items[i] = ((const TVMFFIAny*)list->data)[begin + i];
    changed = 1;
  }
  TVMFFIAny slice[4] = {args[0], args[1], args[2], args[3]};
  TVMFFIAny made = {0};
  changed = changed && call_global("ffi.List", items, (int32_t)given->size, &made) == 0;
  if (changed) slice[3] = made;
  int code = call_original(original, slice, 4, result);
  if (changed) real.TVMFFIObjectDecRef(made.v_obj);
  free(items);
  return code;
}

WRAPPED_GLOBAL("ffi.ListReplaceSlice", replace_slice)
