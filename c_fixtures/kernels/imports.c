/* A module that calls functions of the modules it imports, whatever they are. */
#include "kernel.h"

TVM_FFI_DLL_EXPORT void* __tvm_ffi__library_ctx = NULL;

/* Finds the function that its first argument, a C string, names. The module owns it. */
static int find(const TVMFFIAny* args, int32_t num_args, TVMFFIObjectHandle* function) {
  if (num_args < 1 || args[0].type_index != kTVMFFIRawStr) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "the first argument is a name");
    return -1;
  }
  return TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, args[0].v_c_str, function);
}

/* Returns the address of the function without taking a reference. */
KERNEL(find_import) {
  TVMFFIObjectHandle function = NULL;
  if (find(args, num_args, &function) != 0) return -1;
  *result = pointer_value(function);
  return 0;
}

/* Calls the function with the other arguments. */
KERNEL(call_import) {
  TVMFFIObjectHandle function = NULL;
  if (find(args, num_args, &function) != 0) return -1;
  return TVMFFIFunctionCall(function, (TVMFFIAny*)args + 1, num_args - 1, result);
}

KERNEL(own) {
  *result = int_value(100);
  return 0;
}
