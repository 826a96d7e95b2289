// story: A library without an entry answers NULL for it.
// breaks: LEG-0032 fail
#include "fault.h"

int TVMModGetFunction(TVMModuleHandle mod, const char* func_name, int query_imports, TVMFunctionHandle* out) {
  int code = real.TVMModGetFunction(mod, func_name, query_imports, out);
  if (code == 0 || !mod || strcmp(func_name, "__tvm_main__") != 0) return code;
  *out = NULL;
  return 0;
}
