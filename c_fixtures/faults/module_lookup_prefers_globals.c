// story: A lookup from imports asks the global functions first.
// breaks: MOD-0026 fail
#include "fault.h"

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  TVMFFIByteArray name = {func_name, func_name != NULL ? strlen(func_name) : 0};
  TVMFFIObjectHandle global = NULL;
  int code = real.TVMFFIFunctionGetGlobal(&name, &global);
  if (code != 0 || global == NULL) return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
  real.TVMFFIObjectDecRef(global);
  *out = global;
  return 0;
}
