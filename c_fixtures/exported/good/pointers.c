// story: takes pointers, and integers for addresses, of which only its callers know what they mean
// exits: 4
#include "kernel.h"

static int refuse(void) {
  TVMFFIErrorSetRaisedFromCStr("TypeError", "expected a pointer");
  return -1;
}

/* As compiled C++ takes a `void*`: None is NULL. */
static int read_from(const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1) return refuse();
  if (args[0].type_index != kTVMFFIOpaquePtr && args[0].type_index != kTVMFFINone) return refuse();
  *result = int_value(*(int64_t*)args[0].v_ptr);
  return 0;
}

KERNEL(read) { return read_from(args, num_args, result); }

KERNEL(read_with_metadata) { return read_from(args, num_args, result); }

SAFE_CALL(__tvm_ffi__metadata_read_with_metadata) {
  return return_text(
      "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":[{\\\"type\\\":\\\"int\\\"},{\\\"type\\\":\\\"void*\\\"}]}\"}",
      result);
}

KERNEL(read_address) {
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) return refuse();
  *result = int_value(*(int64_t*)args[0].v_int64);
  return 0;
}
