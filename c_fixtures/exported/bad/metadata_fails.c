// story: cannot say what it takes
// breaks: metadata
#include "kernel.h"

KERNEL(count) {
  *result = int_value(num_args);
  return 0;
}

SAFE_CALL(__tvm_ffi__metadata_count) {
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "there is no metadata");
  return -1;
}
