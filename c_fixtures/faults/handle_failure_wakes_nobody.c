// story: When an initialiser fails, the threads that wait for the handle are not woken before the thread that ran it ends.
// breaks: ONC-0008 timeout
// chance: Threads meet at a handle.
#include "late_waiters.h"

static int waits(const struct filler* other, void** handle) { return other->failed_at == handle; }

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  return init_and_wait(waits, handle_addr, init_func);
}
