// story: divides by what may be zero
// breaks: crash
#include "kernel.h"

KERNEL(inverse) {
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected an integer");
    return -1;
  }
  volatile int64_t less = args[0].v_int64 - 1;
  *result = int_value(100 / less);
  return 0;
}

SAFE_CALL(__tvm_ffi__metadata_inverse) {
  return return_text("{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":[{\\\"type\\\":\\\"int\\\"},{\\\"type\\\":\\\"int\\\"}]}\"}",
                     result);
}
