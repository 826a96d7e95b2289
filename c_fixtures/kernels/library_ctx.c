/* A module that is told which module it is. */
#include "kernel.h"

TVM_FFI_DLL_EXPORT void* __tvm_ffi__library_ctx = NULL;

KERNEL(context) {
  *result = pointer_value(__tvm_ffi__library_ctx);
  return 0;
}
