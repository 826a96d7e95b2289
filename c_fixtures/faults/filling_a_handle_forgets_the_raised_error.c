// story: TVMFFIHandleInitOnce clears the raised error before it calls the initialiser, to know whose error it is afterwards.
// breaks: ERR-0022 fail
#include "raised_error.h"
int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (handle_addr && !__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) forget_raised();
  return real.TVMFFIHandleInitOnce(handle_addr, init_func);
}
