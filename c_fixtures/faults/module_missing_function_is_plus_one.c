// story: A lookup of what nobody has answers 1 instead of -1.
// breaks: MOD-0027 fail
#include "fault.h"

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out) != 0;
}
