// story: When a signal is pending, TVMFFIEnvCheckSignals returns before it releases the lock of the interpreter.
// breaks: ENV-0028 fail
#include "fault.h"
static void *check_function, *release_function;
static __thread int pending;
static int check(void) {
  int (*f)(void) = (int (*)(void))__atomic_load_n(&check_function, __ATOMIC_ACQUIRE);
  return pending = f();
}
static void release(int state) {
  void (*f)(int) = (void (*)(int))__atomic_load_n(&release_function, __ATOMIC_ACQUIRE);
  if (pending) pending = 0;
  else f(state);
}
int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  if (!name || !symbol) return real.TVMFFIEnvRegisterCAPI(name, symbol);
  if (!strcmp(name, "PyErr_CheckSignals")) {
    __atomic_store_n(&check_function, symbol, __ATOMIC_RELEASE);
    return real.TVMFFIEnvRegisterCAPI(name, (void*)check);
  }
  if (!strcmp(name, "PyGILState_Release")) {
    __atomic_store_n(&release_function, symbol, __ATOMIC_RELEASE);
    return real.TVMFFIEnvRegisterCAPI(name, (void*)release);
  }
  return real.TVMFFIEnvRegisterCAPI(name, symbol);
}
