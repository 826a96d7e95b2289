// story: A global function that was replaced or removed is never freed.
// breaks: LEG-0023 fail
#include "fault.h"

int TVMFuncRegisterGlobal(const char* name, TVMFunctionHandle f, int override) {
  int code = REAL(TVMFuncRegisterGlobal)(name, f, override);
  if (code == 0) REAL(TVMObjectRetain)(f);
  return code;
}
