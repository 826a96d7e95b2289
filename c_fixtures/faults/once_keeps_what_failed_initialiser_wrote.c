// story: TVMFFIHandleInitOnce lets the initialiser write straight into the handle, which stays filled when the initialiser fails afterwards.
// breaks: ONC-0003 fail
// breaks: ONC-0004 fail
#include "fault.h"

struct running { int (*init)(void** result); void* written; };
static __thread struct running* running;

static int run(void** result) {
  struct running* mine = running;
  int code = mine->init(result);
  mine->written = *result;
  return code;
}

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (!handle_addr || !init_func) return real.TVMFFIHandleInitOnce(handle_addr, init_func);
  struct running mine = {init_func, NULL};
  struct running* outer = running;
  running = &mine;
  int code = real.TVMFFIHandleInitOnce(handle_addr, run);
  running = outer;
  if (code != 0 && mine.written) __atomic_store_n(handle_addr, mine.written, __ATOMIC_RELEASE);
  return code;
}
