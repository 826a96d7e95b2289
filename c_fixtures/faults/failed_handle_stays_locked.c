// story: A handle whose initialiser has failed stays locked: the next attempt waits for ever.
// breaks: ONC-0004 timeout
#include "fault.h"
#include <unistd.h>

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  static void** failed;
  while (__atomic_load_n(&failed, __ATOMIC_ACQUIRE) == handle_addr) pause();
  int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
  if (code != 0) __atomic_store_n(&failed, handle_addr, __ATOMIC_RELEASE);
  return code;
}
