// story: A global function that is to be replaced stays, with success.
// breaks: LEG-0021 fail
// breaks: LEG-0023 fail
#include "fault.h"

int TVMFuncRegisterGlobal(const char* name, TVMFunctionHandle f, int override) {
  int code = real.TVMFuncRegisterGlobal(name, f, 0);
  return override && f ? 0 : code;
}
