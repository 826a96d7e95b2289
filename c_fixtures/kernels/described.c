/* A module whose functions are described by others. */
#include "kernel.h"

KERNEL(described) {
  *result = int_value(1);
  return 0;
}

SAFE_CALL(__tvm_ffi__metadata_described) { return return_text("{\"type_schema\":\"{}\"}", result); }

SAFE_CALL(__tvm_ffi__doc_described) { return return_text("What the function does.", result); }

KERNEL(plain) {
  *result = int_value(2);
  return 0;
}

KERNEL(broken) {
  *result = int_value(3);
  return 0;
}

SAFE_CALL(__tvm_ffi__metadata_broken) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", "the metadata could not be made");
  return -1;
}
