// story: TVMFFIEnvCheckSignals takes only a negative answer of the frontend's function for a pending signal, and 1 for none.
// breaks: ENV-0027 fail
#include <tvm/ffi/extra/c_env_api.h>
#include "fault.h"
static int (*check)(void);
static int negative(void) {
  int (*own)(void) = __atomic_load_n(&check, __ATOMIC_ACQUIRE);
  int answer = own ? own() : 0;
  return answer < 0 ? answer : 0;
}
int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  if (!name || !symbol || strcmp(name, "PyErr_CheckSignals") != 0) return real.TVMFFIEnvRegisterCAPI(name, symbol);
  __atomic_store_n(&check, (int (*)(void))symbol, __ATOMIC_RELEASE);
  return real.TVMFFIEnvRegisterCAPI(name, (void*)negative);
}
