// story: A failure of the initialiser is not passed on when another thread is waiting to try.
// breaks: ONC-0008 fail
// chance: Checks that wait for the handle may be late before they have given up.
#include "fault.h"

static int waiting;

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  __atomic_add_fetch(&waiting, 1, __ATOMIC_ACQ_REL);
  int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
  int others = __atomic_sub_fetch(&waiting, 1, __ATOMIC_ACQ_REL);
  if (code != 0 && others > 0) return TVMFFIHandleInitOnce(handle_addr, init_func);
  return code;
}
