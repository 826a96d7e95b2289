// story: Deinitialising a handle that is NULL is an error.
// breaks: ONC-0010 fail
#include "fault.h"

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) return real.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
  real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the handle is not initialised");
  return -1;
}
