// story: TVMModFree of NULL fails.
// breaks: LEG-0024 fail
#include "fault.h"

int TVMModFree(TVMModuleHandle mod) {
  if (mod) return real.TVMModFree(mod);
  real.TVMAPISetLastError("ValueError: the module is NULL");
  return -1;
}
