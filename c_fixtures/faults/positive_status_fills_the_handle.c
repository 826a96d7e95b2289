// story: Only an initialiser that answers a negative status has failed: what one with a positive status has written is the handle.
// breaks: ONC-0003 fail
#include <pthread.h>
#include "fault.h"

static __thread int (*initialise)(void**);

static int lenient(void** result) {
  int code = initialise(result);
  return code > 0 && *result ? 0 : code;
}

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  int (*outer)(void**) = initialise;
  initialise = init_func;
  int code = real.TVMFFIHandleInitOnce(handle_addr, lenient);
  initialise = outer;
  return code;
}
