// story: TVMFFIEnvRegisterCAPI refuses PyGILState_Release as long as PyGILState_Ensure is not registered.
// breaks: ENV-0030 fail
#include "fault.h"

static void* ensure;

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  if (name && strcmp(name, "PyGILState_Release") == 0 && !__atomic_load_n(&ensure, __ATOMIC_ACQUIRE)) {
    return refuse("RuntimeError", "PyGILState_Release without PyGILState_Ensure");
  }
  int code = real.TVMFFIEnvRegisterCAPI(name, symbol);
  if (code == 0 && name && strcmp(name, "PyGILState_Ensure") == 0) __atomic_store_n(&ensure, symbol, __ATOMIC_RELEASE);
  return code;
}
