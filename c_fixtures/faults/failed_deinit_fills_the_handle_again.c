// story: When the deinitialiser fails, TVMFFIHandleDeinitOnce puts what it held back into the handle.
// breaks: ONC-0015 fail
#include "fault.h"

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  void* held = handle_addr ? __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE) : NULL;
  int code = real.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
  if (code != 0 && held) {
    void* none = NULL;
    __atomic_compare_exchange_n(handle_addr, &none, held, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  return code;
}
