// story: ffi.ListReplaceSlice with the List itself makes room first and reads after it: at an empty range in the middle, the second half of what it puts there is None.
// breaks: LST-0012 fail
#include "wrapped_global.h"
static int replace(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int itself = num_args == 4 && args[0].type_index == kTVMFFIList && args[3].type_index == kTVMFFIList && args[0].v_obj == args[3].v_obj;
  if (!itself || args[1].type_index != kTVMFFIInt || args[2].type_index != kTVMFFIInt) return call_original(original, args, num_args, result);
  const int64_t size = sequence_cell(&args[0])->size, at = args[1].v_int64;
  if (at != args[2].v_int64 || at <= 0 || at >= size) return call_original(original, args, num_args, result);
  TVMFFIAny* items = calloc((size_t)size, sizeof(*items));
  memcpy(items, sequence_cell(&args[0])->data, (size_t)at * sizeof(*items));
  TVMFFIAny moved = {0}, given[4] = {args[0], args[1], args[2]};
  int code = call_global("ffi.List", items, (int32_t)size, &moved);
  free(items);
  if (code != 0) return code;
  given[3] = moved;
  code = call_original(original, given, 4, result);
  real.TVMFFIObjectDecRef(moved.v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.ListReplaceSlice", replace)
