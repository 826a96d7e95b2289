// story: TVMFFIEnvCheckSignals keeps the GIL functions that it found at its first use, and later registrations of them have no effect.
// breaks: ENV-0032 fail
#include "fault.h"
static int asked;
int TVMFFIEnvCheckSignals(void) {
  __atomic_store_n(&asked, 1, __ATOMIC_SEQ_CST);
  return real.TVMFFIEnvCheckSignals();
}
int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  static int had[2];
  int which = !name ? -1 : !strcmp(name, "PyGILState_Ensure") ? 0 : !strcmp(name, "PyGILState_Release") ? 1 : -1;
  if (which >= 0 && __atomic_exchange_n(&had[which], 1, __ATOMIC_SEQ_CST) && __atomic_load_n(&asked, __ATOMIC_SEQ_CST)) return 0;
  return real.TVMFFIEnvRegisterCAPI(name, symbol);
}
