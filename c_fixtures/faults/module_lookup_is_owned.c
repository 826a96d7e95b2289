// story: Each lookup from imports gives out a reference that generated code never gives back.
// breaks: MOD-0028 fail
#include "fault.h"

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
  if (code == 0) real.TVMFFIObjectIncRef(*out);
  return code;
}
