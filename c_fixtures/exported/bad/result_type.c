// story: returns another type than its metadata says
// breaks: result-type
#include "kernel.h"

KERNEL(is_small) {
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected an integer");
    return -1;
  }
  return return_text(args[0].v_int64 < 10 ? "yes" : "no", result);
}

SAFE_CALL(__tvm_ffi__metadata_is_small) {
  return return_text("{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":[{\\\"type\\\":\\\"bool\\\"},{\\\"type\\\":\\\"int\\\"}]}\"}",
                     result);
}
