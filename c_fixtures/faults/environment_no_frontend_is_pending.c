// story: Without a frontend a signal is always pending.
// breaks: ENV-0026 fail
#include "fault.h"

static int registered;

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  int code = real.TVMFFIEnvRegisterCAPI(name, symbol);
  if (code == 0 && strcmp(name, "PyErr_CheckSignals") == 0) registered = 1;
  return code;
}

int TVMFFIEnvCheckSignals(void) { return registered ? real.TVMFFIEnvCheckSignals() : -1; }
