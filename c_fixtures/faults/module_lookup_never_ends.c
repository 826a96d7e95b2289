// story: The search for a function that no import and no global has goes round in circles.
// breaks: MOD-0027 timeout
#include "fault.h"

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  volatile int found = real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out) == 0;
  while (!found) {
  }
  return 0;
}
