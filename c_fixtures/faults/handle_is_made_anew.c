// story: A thread that asks again for the handle that it was given last has the initialiser run again.
// breaks: ONC-0002 fail
#include "fault.h"

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  static _Thread_local void** latest;
  void* made = NULL;
  if (latest != handle_addr || !__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) {
    int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
    latest = code == 0 ? handle_addr : NULL;
    return code;
  }
  int code = init_func(&made);
  if (code == 0) __atomic_store_n(handle_addr, made, __ATOMIC_RELEASE);
  return code;
}
