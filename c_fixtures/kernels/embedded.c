/* A module that comes with another one inside, as bytes, which it imports. */
#include "kernel.h"

TVM_FFI_DLL_EXPORT void* __tvm_ffi__library_ctx = NULL;

/* Numbers are of 64 bits, lowest byte first; texts are preceded by their length. */
#define NUMBER(n) n, 0, 0, 0, 0, 0, 0, 0

TVM_FFI_DLL_EXPORT const unsigned char __tvm_ffi__library_bin[] = {
    NUMBER(103),
    /* Where the imports of each module begin in the list after it, and where they end. */
    NUMBER(3), NUMBER(0), NUMBER(1), NUMBER(1),
    /* The imports: the first module imports the second. */
    NUMBER(1), NUMBER(1),
    /* The first module: this library. */
    NUMBER(4), '_', 'l', 'i', 'b',
    /* The second module: its kind and its bytes. */
    NUMBER(15), 'v', 'e', 'r', 'i', 'f', 'y', '_', 'e', 'm', 'b', 'e', 'd', 'd', 'e', 'd',
    NUMBER(12), 'b', 'y', 't', 'e', 's', '\0', 'o', 'f', ' ', 'i', 't', 's'
};

KERNEL(context) {
  *result = pointer_value(__tvm_ffi__library_ctx);
  return 0;
}

/* Calls a function of the imported module. */
KERNEL(call_embedded) {
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "who", &function) != 0) return -1;
  return TVMFFIFunctionCall(function, NULL, 0, result);
}
