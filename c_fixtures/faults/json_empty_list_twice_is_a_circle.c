// story: The writer of JSON notes each List that it goes into, and forgets only those that had elements: an empty one that stands twice is taken for a circle.
// breaks: JSN-0031 fail
#include "wrapped_global.h"

static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && args[0].type_index == kTVMFFIArray && sequence_cell(&args[0])->size == 2) {
    const TVMFFIAny* items = sequence_cell(&args[0])->data;
    if (items[0].type_index == kTVMFFIList && items[0].v_obj == items[1].v_obj && sequence_cell(items)->size == 0) {
      return refuse("ValueError", "a List contains itself");
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", write)
