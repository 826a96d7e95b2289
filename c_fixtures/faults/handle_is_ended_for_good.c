// story: A handle that was deinitialised is not initialised again, though its caller is told so.
// breaks: ONC-0013 fail
#include "fault.h"

static void** ended;

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (handle_addr == __atomic_load_n(&ended, __ATOMIC_ACQUIRE)) return 0;
  return real.TVMFFIHandleInitOnce(handle_addr, init_func);
}

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  int code = real.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
  __atomic_store_n(&ended, handle_addr, __ATOMIC_RELEASE);
  return code;
}
