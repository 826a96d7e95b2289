// story: What PyGILState_Ensure answered is kept for the thread while signals are checked: a check that the frontend's own function makes overwrites it.
// breaks: ENV-0028 fail
#include "fault.h"

static void *check, *ensure, *release;

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  int code = real.TVMFFIEnvRegisterCAPI(name, symbol);
  if (code != 0) return code;
  if (strcmp(name, "PyErr_CheckSignals") == 0) __atomic_store_n(&check, symbol, __ATOMIC_RELEASE);
  if (strcmp(name, "PyGILState_Ensure") == 0) __atomic_store_n(&ensure, symbol, __ATOMIC_RELEASE);
  if (strcmp(name, "PyGILState_Release") == 0) __atomic_store_n(&release, symbol, __ATOMIC_RELEASE);
  return 0;
}
int TVMFFIEnvCheckSignals(void) {
  static __thread int state;
  int (*check_signals)(void) = (int (*)(void))__atomic_load_n(&check, __ATOMIC_ACQUIRE);
  int (*take)(void) = (int (*)(void))__atomic_load_n(&ensure, __ATOMIC_ACQUIRE);
  void (*give)(int) = (void (*)(int))__atomic_load_n(&release, __ATOMIC_ACQUIRE);
  if (!check_signals || !take || !give) return real.TVMFFIEnvCheckSignals();
  state = take();
  int code = check_signals() != 0 ? -1 : 0;
  give(state);
  return code;
}
