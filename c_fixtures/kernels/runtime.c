/*
 * The runtime of a compiler: a library of its own that holds the state of all kernels, and hands it out through a global
 * function. It is loaded before the first kernel and has to stay.
 */
#include "kernel.h"
#include "runtime.h"

static struct runtime_state state;

static int get_state(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args;
  *result = pointer_value(&state);
  return 0;
}

/* Runs when the library is loaded. An error stays raised for whoever loads it. */
__attribute__((constructor)) static void register_functions(void) {
  TVMFFIByteArray name = {RUNTIME_GET_STATE, sizeof(RUNTIME_GET_STATE) - 1};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(NULL, get_state, NULL, &function) != 0) return;
  TVMFFIFunctionSetGlobal(&name, function, /*allow_override=*/1);
  TVMFFIObjectDecRef(function);
}

/* How many kernels have been launched, for whoever loads the runtime as a module. */
KERNEL(launches) {
  *result = int_value(state.launches);
  return 0;
}
