// story: Which handles are filled is remembered by a few bits of their address.
// breaks: ONC-0014 fail
#include "fault.h"

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  static char filled[64];
  size_t slot = (uintptr_t)handle_addr / sizeof(void*) % 64;
  if (__atomic_load_n(&filled[slot], __ATOMIC_ACQUIRE) && !__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) return 0;
  int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
  if (code == 0) __atomic_store_n(&filled[slot], 1, __ATOMIC_RELEASE);
  return code;
}
