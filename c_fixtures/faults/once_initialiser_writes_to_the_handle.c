// story: The initialiser of a handle is given the handle itself to write to, so that others find it filled before the initialiser has come to its end.
// breaks: ONC-0007 fail
#include "fault.h"

struct running { int (*init)(void** result); void** handle; };
static __thread struct running running;

static int run(void** result) {
  struct running mine = running;
  int code = mine.init(mine.handle);
  *result = code == 0 ? *mine.handle : NULL;
  if (code != 0) __atomic_store_n(mine.handle, NULL, __ATOMIC_RELEASE);
  return code;
}

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (!handle_addr || !init_func) return real.TVMFFIHandleInitOnce(handle_addr, init_func);
  struct running outer = running;
  running = (struct running){init_func, handle_addr};
  int code = real.TVMFFIHandleInitOnce(handle_addr, run);
  running = outer;
  return code;
}
