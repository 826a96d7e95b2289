// story: ffi.ListReplaceSlice with the List itself copies from its own cells while it writes them, where the List has room enough not to get new ones.
// breaks: LST-0012 fail
#include "wrapped_global.h"

static int replace(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFIList || args[3].type_index != kTVMFFIList || args[0].v_obj != args[3].v_obj ||
      args[1].type_index != kTVMFFIInt || args[2].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  const int64_t size = cell->size, begin = args[1].v_int64, end = args[2].v_int64;
  if (begin < 0 || end < begin || end > size || 2 * size - (end - begin) > cell->capacity || size > 100000) return call_original(original, args, num_args, result);
  /* What lies in the cells at last: those from `begin` on are read after they were written. */
  const TVMFFIAny* items = cell->data;
  TVMFFIAny* read = calloc((size_t)size + 1, sizeof(TVMFFIAny));
  TVMFFIAny given[4] = {args[0], args[1], args[2], args[3]}, other = {0};
  for (int64_t i = 0; i < size; ++i) read[i] = i < begin ? items[i] : begin > 0 ? read[i - begin] : items[i];
  int code = call_global("ffi.List", read, (int32_t)size, &other);
  free(read);
  if (code != 0) return code;
  given[3] = other;
  code = call_original(original, given, num_args, result);
  real.TVMFFIObjectDecRef(other.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ListReplaceSlice", replace)
