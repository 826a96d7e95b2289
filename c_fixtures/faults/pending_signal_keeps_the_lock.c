// story: TVMFFIEnvCheckSignals returns early when a signal is pending, and does not give the frontend's lock back.
// breaks: ENV-0028 fail
#include "fault.h"

static void* checks;
static void* ensures;
static void* releases;

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  int code = real.TVMFFIEnvRegisterCAPI(name, symbol);
  if (code != 0 || !name) return code;
  if (strcmp(name, "PyErr_CheckSignals") == 0) __atomic_store_n(&checks, symbol, __ATOMIC_RELEASE);
  if (strcmp(name, "PyGILState_Ensure") == 0) __atomic_store_n(&ensures, symbol, __ATOMIC_RELEASE);
  if (strcmp(name, "PyGILState_Release") == 0) __atomic_store_n(&releases, symbol, __ATOMIC_RELEASE);
  return code;
}

int TVMFFIEnvCheckSignals(void) {
  int (*check)(void) = (int (*)(void))__atomic_load_n(&checks, __ATOMIC_ACQUIRE);
  int (*ensure)(void) = (int (*)(void))__atomic_load_n(&ensures, __ATOMIC_ACQUIRE);
  void (*release)(int) = (void (*)(int))__atomic_load_n(&releases, __ATOMIC_ACQUIRE);
  if (!check || !ensure || !release) return real.TVMFFIEnvCheckSignals();
  int state = ensure();
  if (check() != 0) return -1;
  release(state);
  return 0;
}
