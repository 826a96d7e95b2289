// story: TVMFFIEnvCheckSignals returns at once when a signal is pending, without giving the frontend's lock back.
// breaks: ENV-0028 fail
#include "fault.h"

static int (*check)(void);
static int (*ensure)(void);
static void (*release)(int);

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  int code = real.TVMFFIEnvRegisterCAPI(name, symbol);
  if (code != 0) return code;
  if (strcmp(name, "PyErr_CheckSignals") == 0) check = symbol;
  if (strcmp(name, "PyGILState_Ensure") == 0) ensure = symbol;
  if (strcmp(name, "PyGILState_Release") == 0) release = symbol;
  return 0;
}

int TVMFFIEnvCheckSignals(void) {
  if (!check || !ensure || !release) return real.TVMFFIEnvCheckSignals();
  int state = ensure();
  if (check() != 0) return -1;
  release(state);
  return 0;
}
