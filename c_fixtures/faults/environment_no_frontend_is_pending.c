// story: Without a frontend a signal is always pending.
// breaks: ENV-0026 fail
#include "fault.h"

static int registered;

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  int code = real.TVMFFIEnvRegisterCAPI(name, symbol);
  if (code == 0 && strcmp(name, "PyErr_CheckSignals") == 0) __atomic_store_n(&registered, 1, __ATOMIC_RELEASE);
  return code;
}

int TVMFFIEnvCheckSignals(void) {
  return __atomic_load_n(&registered, __ATOMIC_ACQUIRE) ? real.TVMFFIEnvCheckSignals() : -1;
}
