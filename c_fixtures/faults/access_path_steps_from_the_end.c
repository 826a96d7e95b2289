// story: The steps of a path are listed from its end to the root.
// breaks: PTH-0004 fail
#include "access_path.h"

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

CHANGED_METHOD_OF_PATHS("_to_steps", to_steps)
