// story: A thread that finds a handle being filled by another returns at once, as if it were filled.
// breaks: ONC-0007 fail
// chance: Threads meet at a handle.
#include "fault.h"

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  static void* filling;
  void* nobody = NULL;
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) return 0;
  if (!__atomic_compare_exchange_n(&filling, &nobody, handle_addr, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return nobody == handle_addr ? 0 : real.TVMFFIHandleInitOnce(handle_addr, init_func);
  }
  int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
  __atomic_store_n(&filling, NULL, __ATOMIC_RELEASE);
  return code;
}
