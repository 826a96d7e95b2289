// story: When a signal is pending, TVMFFIEnvCheckSignals returns without giving the interpreter's lock back.
// breaks: ENV-0028 fail
#include "fault.h"

static int (*check)(void);
static int (*ensure)(void);
static void (*release)(int);

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  int code = real.TVMFFIEnvRegisterCAPI(name, symbol);
  if (code != 0) return code;
  if (strcmp(name, "PyErr_CheckSignals") == 0) __atomic_store_n((void**)&check, symbol, __ATOMIC_RELEASE);
  if (strcmp(name, "PyGILState_Ensure") == 0) __atomic_store_n((void**)&ensure, symbol, __ATOMIC_RELEASE);
  if (strcmp(name, "PyGILState_Release") == 0) __atomic_store_n((void**)&release, symbol, __ATOMIC_RELEASE);
  return 0;
}

int TVMFFIEnvCheckSignals(void) {
  int (*now_check)(void) = __atomic_load_n(&check, __ATOMIC_ACQUIRE);
  int (*now_ensure)(void) = __atomic_load_n(&ensure, __ATOMIC_ACQUIRE);
  void (*now_release)(int) = __atomic_load_n(&release, __ATOMIC_ACQUIRE);
  if (!now_check) return 0;
  if (!now_ensure || !now_release) return real.TVMFFIEnvCheckSignals();
  int state = now_ensure();
  if (now_check() != 0) return -1;
  now_release(state);
  return 0;
}
