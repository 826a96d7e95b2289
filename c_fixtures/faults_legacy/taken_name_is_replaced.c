// story: A global function is replaced without being told to.
// breaks: LEG-0021 fail
#include "fault.h"

int TVMFuncRegisterGlobal(const char* name, TVMFunctionHandle f, int override) {
  return override ? real.TVMFuncRegisterGlobal(name, f, override) : real.TVMFuncRegisterGlobal(name, f, 1);
}
