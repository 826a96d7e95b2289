// story: TVMBackendGetFuncFromEnv prefers a global function.
// breaks: LEG-0034 fail
#include "fault.h"

int TVMBackendGetFuncFromEnv(void* mod_node, const char* func_name, TVMFunctionHandle* out) {
  TVMFunctionHandle found = NULL;
  if (real.TVMFuncGetGlobal(func_name, &found) == 0 && found) {
    *out = found;
    return 0;
  }
  return real.TVMBackendGetFuncFromEnv(mod_node, func_name, out);
}
