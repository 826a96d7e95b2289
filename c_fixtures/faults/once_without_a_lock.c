// story: Handles are initialised without a lock: two threads that come at once both run the initialiser.
// breaks: ONC-0006 fail
// chance: Threads meet at a handle.
#include "fault.h"

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  void* made = NULL;
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) return 0;
  int code = init_func(&made);
  if (code != 0) return code;
  if (!made) return real.TVMFFIHandleInitOnce(handle_addr, init_func);
  __atomic_store_n(handle_addr, made, __ATOMIC_RELEASE);
  return 0;
}
