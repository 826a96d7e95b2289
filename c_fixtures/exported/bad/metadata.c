// story: has metadata that is no JSON
// breaks: metadata
#include "kernel.h"

KERNEL(count) {
  *result = int_value(num_args);
  return 0;
}

SAFE_CALL(__tvm_ffi__metadata_count) { return return_text("(…) -> int", result); }
