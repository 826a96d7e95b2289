// story: ffi.ListInsert takes room for just one more element, so each element that is inserted takes a new buffer.
// breaks: LST-0027 fail
#include "wrapped_global.h"

static int insert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_list = num_args == 3 && args[0].type_index == kTVMFFIList;
  const int64_t before = is_list ? sequence_cell(&args[0])->capacity : 0;
  const int code = call_original(original, args, num_args, result);
  if (code == 0 && is_list && sequence_cell(&args[0])->capacity != before) sequence_cell(&args[0])->capacity = sequence_cell(&args[0])->size;
  return code;
}

WRAPPED_GLOBAL("ffi.ListInsert", insert)
