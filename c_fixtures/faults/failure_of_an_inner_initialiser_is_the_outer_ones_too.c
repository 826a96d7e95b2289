// story: The status of initialisers is kept per thread, so one that tries another handle in vain and goes on without it fails as well.
// breaks: ONC-0016 fail
#include "fault.h"

static __thread int depth, failed;

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  ++depth;
  const int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
  if (code != 0) failed = code;
  const int status = failed;
  if (--depth == 0) failed = 0;
  return status;
}

