// story: A function for giving the lock back is not known.
// breaks: ENV-0030 fail
#include "fault.h"

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  if (name == NULL || strcmp(name, "PyGILState_Release") != 0) return real.TVMFFIEnvRegisterCAPI(name, symbol);
  real.TVMFFIErrorSetRaisedFromCStr("ValueError", "unknown function");
  return -1;
}
