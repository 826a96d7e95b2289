// story: TVMFuncGetGlobal of a name that there is not fails.
// breaks: LEG-0020 fail
#include "fault.h"

int TVMFuncGetGlobal(const char* name, TVMFunctionHandle* out) {
  int code = real.TVMFuncGetGlobal(name, out);
  if (code == 0 && !*out) {
    real.TVMAPISetLastError("ValueError: there is no such function");
    return -1;
  }
  return code;
}
