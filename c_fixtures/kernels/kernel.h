/* What the modules here have in common: how a function is exported, and how values are read and returned. */
#ifndef TVM_FFI_FIXTURES_KERNEL_H_
#define TVM_FFI_FIXTURES_KERNEL_H_

#include <stddef.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

/* Begins the definition of an exported function. Not every function needs all that it is given. */
#define SAFE_CALL(symbol)                                                                                 \
  TVM_FFI_DLL_EXPORT int symbol(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result); \
  int symbol(__attribute__((unused)) void* handle, __attribute__((unused)) const TVMFFIAny* args,         \
             __attribute__((unused)) int32_t num_args, __attribute__((unused)) TVMFFIAny* result)

/* Begins the definition of a function of the module. */
#define KERNEL(name) SAFE_CALL(__tvm_ffi_##name)

static inline TVMFFIAny int_value(int64_t value) {
  return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = value};
}

static inline TVMFFIAny pointer_value(void* value) {
  return (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = value};
}

/* Returns a copy of a C string. */
static inline int return_text(const char* text, TVMFFIAny* result) {
  TVMFFIByteArray bytes = {text, 0};
  while (text[bytes.size] != '\0') ++bytes.size;
  return TVMFFIStringFromByteArray(&bytes, result);
}

#endif
