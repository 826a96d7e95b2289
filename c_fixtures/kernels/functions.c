/* A module with functions of every kind of result. */
#include "kernel.h"

KERNEL(main) {
  *result = int_value(7);
  return 0;
}

KERNEL(return_nothing) { return 0; }

KERNEL(return_int) {
  *result = int_value(-4200000000000000007);
  return 0;
}

KERNEL(return_float) {
  *result = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = -0.1};
  return 0;
}

KERNEL(return_short_text) { return return_text("seven_b", result); }

KERNEL(return_long_text) { return return_text("a text of more than seven bytes", result); }

/* Returns its only argument, which must be an object. */
KERNEL(return_object) {
  if (num_args != 1 || args[0].type_index < kTVMFFIStaticObjectBegin) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "return_object takes an object");
    return -1;
  }
  TVMFFIObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}

/* Returns the sum of its arguments, which must be integers. */
KERNEL(sum) {
  int64_t sum = 0;
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index != kTVMFFIInt) {
      TVMFFIErrorSetRaisedFromCStr("TypeError", "sum takes integers");
      return -1;
    }
    sum += args[i].v_int64;
  }
  *result = int_value(sum);
  return 0;
}

KERNEL(count_arguments) {
  *result = int_value(num_args);
  return 0;
}

/* Returns how often it has been called since the library was loaded. */
KERNEL(count_calls) {
  static int64_t calls = 0;
  *result = int_value(++calls);
  return 0;
}

KERNEL(raise_value_error) {
  const char* parts[] = {"a value ", "was ", "wrong"};
  TVMFFIErrorSetRaisedFromCStrParts("ValueError", parts, 3);
  return -1;
}

/* Calls its first argument, a function, with the others. */
KERNEL(call) {
  if (num_args < 1 || args[0].type_index != kTVMFFIFunction) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "call takes a function");
    return -1;
  }
  return TVMFFIFunctionCall(args[0].v_obj, (TVMFFIAny*)args + 1, num_args - 1, result);
}

/* Not a function of the module: its name lacks the prefix. */
TVM_FFI_DLL_EXPORT int plain_symbol(void);
int plain_symbol(void) { return 1; }
