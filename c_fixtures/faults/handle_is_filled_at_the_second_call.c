// story: A handle is only prepared by its first call, and filled by the next one.
// breaks: ONC-0001 fail
#include "fault.h"

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  static void* prepared;
  void* before = __atomic_exchange_n(&prepared, handle_addr, __ATOMIC_ACQ_REL);
  return before == handle_addr ? real.TVMFFIHandleInitOnce(handle_addr, init_func) : 0;
}
