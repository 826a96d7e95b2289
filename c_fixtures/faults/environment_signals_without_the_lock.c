// story: The frontend is asked for signals without its interpreter's lock.
// breaks: ENV-0028 fail
#include "fault.h"

static int (*check_signals)(void);

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  if (name && strcmp(name, "PyErr_CheckSignals") == 0) check_signals = (int (*)(void))symbol;
  return real.TVMFFIEnvRegisterCAPI(name, symbol);
}

int TVMFFIEnvCheckSignals(void) { return check_signals && check_signals() != 0 ? -1 : 0; }
