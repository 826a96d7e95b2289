// story: TVMFFIHandleInitOnce takes an initialiser that answers a positive status for one that has succeeded.
// breaks: ONC-0003 fail
#include "fault.h"
static __thread int (*wanted)(void**);
static int initialise(void** result) {
  int (*init)(void**) = wanted;
  int code = init(result);
  return code > 0 && *result ? 0 : code;
}
int TVMFFIHandleInitOnce(void** handle, int (*init)(void**)) {
  if (!handle || !init) return real.TVMFFIHandleInitOnce(handle, init);
  int (*before)(void**) = wanted;
  wanted = init;
  int code = real.TVMFFIHandleInitOnce(handle, initialise);
  wanted = before;
  return code;
}
