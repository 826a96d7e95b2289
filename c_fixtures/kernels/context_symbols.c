/* A module with pointers that the environment fills in, so that it need not be linked to what they lead to. */
#include "kernel.h"

static char unset;

TVM_FFI_DLL_EXPORT void* verify_context_one = &unset;
TVM_FFI_DLL_EXPORT void* verify_context_two = &unset;

/* Returns the first pointer; None as long as nobody has set it. */
KERNEL(context_one) {
  if (verify_context_one != &unset) *result = pointer_value(verify_context_one);
  return 0;
}

KERNEL(context_two) {
  if (verify_context_two != &unset) *result = pointer_value(verify_context_two);
  return 0;
}

/* Calls the first pointer as a function of an integer. */
KERNEL(call_context_one) {
  if (num_args != 1 || args[0].type_index != kTVMFFIInt || verify_context_one == &unset) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "call_context_one takes an integer and a function that was set");
    return -1;
  }
  int64_t (*function)(int64_t) = (int64_t(*)(int64_t))verify_context_one;
  *result = int_value(function(args[0].v_int64));
  return 0;
}
