// story: TVMFFIHandleInitOnce takes a status above zero for a success of the initialiser.
// breaks: ONC-0003 fail
#include "fault.h"

static __thread int (*initialiser)(void** result);

static int lenient(void** result) {
  int code = initialiser(result);
  return code < 0 ? code : 0;
}

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  int (*outer)(void** result) = initialiser;
  initialiser = init_func;
  int code = real.TVMFFIHandleInitOnce(handle_addr, init_func ? lenient : NULL);
  initialiser = outer;
  return code;
}
