// story: Two threads that deinitialise a handle at once both run the deinitialiser.
// breaks: ONC-0012 fail
// chance: Threads meet at a handle.
#include "fault.h"

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  void* held = __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE);
  if (!held) return 0;
  int code = deinit_func(held);
  __atomic_store_n(handle_addr, NULL, __ATOMIC_RELEASE);
  return code;
}
