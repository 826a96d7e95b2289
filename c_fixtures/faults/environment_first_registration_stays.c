// story: A frontend's function that is registered again stays the former one.
// breaks: ENV-0032 fail
#include "fault.h"

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  static int registered;
  if (name == NULL || symbol == NULL || strcmp(name, "PyErr_CheckSignals") != 0) {
    return real.TVMFFIEnvRegisterCAPI(name, symbol);
  }
  return __atomic_exchange_n(&registered, 1, __ATOMIC_ACQ_REL) ? 0 : real.TVMFFIEnvRegisterCAPI(name, symbol);
}
