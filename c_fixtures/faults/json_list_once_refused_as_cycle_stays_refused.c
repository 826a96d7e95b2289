// story: Where a List that contains itself ends the writing of JSON, the mark that it is being written stays on the thread, and it is refused again when it no longer does.
// breaks: JSN-0031 fail
#include "wrapped_global.h"
static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread void* mark;
  const int is_list = num_args > 0 && args[0].type_index == kTVMFFIList;
  if (is_list && args[0].v_obj == mark) return refuse("ValueError", "the value contains itself");
  int code = call_original(original, args, num_args, result);
  mark = NULL;
  if (code == 0 || !is_list) return code;
  const TVMFFISeqCell* cell = sequence_cell(args);
  const TVMFFIAny* items = (const TVMFFIAny*)cell->data;
  for (int64_t i = 0; i < cell->size; ++i) {
    if (items[i].type_index == kTVMFFIList && items[i].v_obj == args[0].v_obj) mark = args[0].v_obj;
  }
  return code;
}
WRAPPED_GLOBAL("ffi.json.Stringify", write)
