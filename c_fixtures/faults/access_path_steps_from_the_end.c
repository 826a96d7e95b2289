// story: The steps of a path are listed from its end to the root.
// breaks: PTH-0004 fail
#include "changed_record.h"
#include "wrapped_global.h"

static int to_steps(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFISeqCell* steps = sequence_cell(result);
  TVMFFIAny* items = steps->data;
  for (int64_t i = 0; i < steps->size / 2; ++i) {
    const TVMFFIAny step = items[i];
    items[i] = items[steps->size - 1 - i];
    items[steps->size - 1 - i] = step;
  }
  return 0;
}

static void change(TVMFFITypeInfo* record) { wrap_function(&method_of(record, "_to_steps")->method, to_steps); }

CHANGED_RECORD_OF("ffi.reflection.AccessPath", change)
