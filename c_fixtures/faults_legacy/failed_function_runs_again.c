// story: TVMBackendRunOnce runs a function that has failed once more.
// breaks: LEG-0040 fail
#include "fault.h"

int TVMBackendRunOnce(void** handle, int (*f)(void* cdata), void* cdata, int nbytes) {
  int code = real.TVMBackendRunOnce(handle, f, cdata, nbytes);
  if (code != 0) *handle = NULL;
  return code;
}
