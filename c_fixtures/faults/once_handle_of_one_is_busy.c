// story: A handle that holds 1 is being initialised: whoever comes waits, and then gives up.
// breaks: ONC-0002 fail
#include "fault.h"

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (handle_addr && __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE) == (void*)1) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the handle is being initialised");
    return -1;
  }
  return real.TVMFFIHandleInitOnce(handle_addr, init_func);
}
