// story: Looking nothing up in the imports of a module crashes.
// breaks: MOD-0047 crash
#include "fault.h"

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  volatile char first = func_name[0];
  (void)first;
  return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
}
