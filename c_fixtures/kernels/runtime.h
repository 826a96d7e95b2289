/* What a compiler's runtime and the kernels made by that compiler agree upon. */
#ifndef TVM_FFI_FIXTURES_RUNTIME_H_
#define TVM_FFI_FIXTURES_RUNTIME_H_

#include <stdint.h>

/* The global function without parameters that returns the address of the state. */
#define RUNTIME_GET_STATE "verify_runtime.get_state"

/* What all kernels share. */
struct runtime_state {
  /* How many kernels have been launched. */
  int64_t launches;
  /* The stream of the last launch. */
  void* stream;
};

#endif
