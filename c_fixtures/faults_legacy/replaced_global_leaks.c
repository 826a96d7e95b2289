// story: A global function that was replaced or removed is never freed.
// breaks: LEG-0023 fail
#include "fault.h"

int TVMFuncRegisterGlobal(const char* name, TVMFunctionHandle f, int override) {
  int code = real.TVMFuncRegisterGlobal(name, f, override);
  if (code == 0) real.TVMObjectRetain(f);
  return code;
}
