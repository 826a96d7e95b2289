// story: computes with numbers, and says so in its metadata
#include "kernel.h"

KERNEL(less) {
  double sum[2];
  if (num_args != 2) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected 2 arguments");
    return -1;
  }
  for (int i = 0; i < 2; ++i) {
    if (args[i].type_index == kTVMFFIFloat) sum[i] = args[i].v_float64;
    else if (args[i].type_index == kTVMFFIInt || args[i].type_index == kTVMFFIBool) sum[i] = (double)args[i].v_int64;
    else {
      TVMFFIErrorSetRaisedFromCStr("TypeError", "expected a number");
      return -1;
    }
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = sum[0] - sum[1]};
  return 0;
}

SAFE_CALL(__tvm_ffi__metadata_less) {
  return return_text(
      "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":[{\\\"type\\\":\\\"float\\\"},{\\\"type\\\":\\\"float\\\"},"
      "{\\\"type\\\":\\\"int\\\"}]}\"}",
      result);
}

KERNEL(not_a_number) {
  *result = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = 0.0 / 0.0};
  return 0;
}
