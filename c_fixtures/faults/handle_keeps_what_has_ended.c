// story: A handle still holds what it held when that has been given to the deinitialiser.
// breaks: ONC-0009 fail
#include "fault.h"

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  void* held = __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE);
  int code = real.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
  if (code == 0) __atomic_store_n(handle_addr, held, __ATOMIC_RELEASE);
  return code;
}
