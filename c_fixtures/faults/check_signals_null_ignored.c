// story: Registering NULL for PyErr_CheckSignals is accepted and ignored: the frontend's function goes on being called.
// breaks: ENV-0033 fail
#include "fault.h"

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  if (name && symbol == NULL && strcmp(name, "PyErr_CheckSignals") == 0) return 0;
  return real.TVMFFIEnvRegisterCAPI(name, symbol);
}
