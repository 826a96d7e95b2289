// story: A thread that has found no function for signals registered remembers that, until it registers one itself.
// breaks: ENV-0035 fail
#include "fault.h"

static _Thread_local int is_nobody_there;
static int is_registered;

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  int code = real.TVMFFIEnvRegisterCAPI(name, symbol);
  if (code != 0 || name == NULL || strcmp(name, "PyErr_CheckSignals") != 0) return code;
  is_nobody_there = 0;
  __atomic_store_n(&is_registered, 1, __ATOMIC_RELEASE);
  return 0;
}

int TVMFFIEnvCheckSignals(void) {
  if (!__atomic_load_n(&is_registered, __ATOMIC_ACQUIRE)) is_nobody_there = 1;
  return is_nobody_there ? 0 : real.TVMFFIEnvCheckSignals();
}
