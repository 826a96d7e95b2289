// story: TVMFuncGetGlobal answers the table's own reference, which the caller then frees.
// breaks: LEG-0019 fail
#include "fault.h"

int TVMFuncGetGlobal(const char* name, TVMFunctionHandle* out) {
  int code = real.TVMFuncGetGlobal(name, out);
  /* Names of the runtime's own stay sound, so that other clauses can be looked at. */
  if (code == 0 && *out && strcmp(name, "legacy_callers.given") == 0) real.TVMFuncFree(*out), real.TVMFuncRemoveGlobal(name);
  return code;
}
