// story: The initialiser runs at every call.
// breaks: ONC-0002 fail
#include "fault.h"

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  void* made = NULL;
  if (!__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) return real.TVMFFIHandleInitOnce(handle_addr, init_func);
  int code = init_func(&made);
  if (code == 0) __atomic_store_n(handle_addr, made, __ATOMIC_RELEASE);
  return code;
}
