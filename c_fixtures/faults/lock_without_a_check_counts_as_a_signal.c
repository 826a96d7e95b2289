// story: TVMFFIEnvCheckSignals answers -1 where a frontend has registered how to take its lock and nothing that checks for signals.
// breaks: ENV-0026 fail
#include "fault.h"

static void *check, *ensure;

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  int code = real.TVMFFIEnvRegisterCAPI(name, symbol);
  if (code != 0 || name == NULL) return code;
  if (strcmp(name, "PyErr_CheckSignals") == 0) __atomic_store_n(&check, symbol ? symbol : (void*)"", __ATOMIC_RELEASE);
  if (strcmp(name, "PyGILState_Ensure") == 0) __atomic_store_n(&ensure, symbol, __ATOMIC_RELEASE);
  return 0;
}

int TVMFFIEnvCheckSignals(void) {
  if (__atomic_load_n(&ensure, __ATOMIC_ACQUIRE) && !__atomic_load_n(&check, __ATOMIC_ACQUIRE)) return -1;
  return real.TVMFFIEnvCheckSignals();
}
