// story: A thread that waits for a handle which another is filling is woken when that thread ends, not when the handle is filled.
// breaks: ONC-0007 timeout
// chance: Threads meet at a handle.
#include "late_waiters.h"

static int waits(const struct filler* other, void** handle) { return other->failed_at != handle; }

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  return init_and_wait(waits, handle_addr, init_func);
}
