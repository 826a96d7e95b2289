// story: What a thread could not initialise is deinitialised all the same: the deinitialiser is called with NULL.
// breaks: ONC-0010 fail
#include "fault.h"

static _Thread_local void** failed;

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
  if (code != 0) failed = handle_addr;
  else if (failed == handle_addr) failed = NULL;
  return code;
}

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  if (handle_addr && handle_addr == failed && __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE) == NULL && deinit_func) {
    failed = NULL;
    return deinit_func(NULL);
  }
  return real.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
}
