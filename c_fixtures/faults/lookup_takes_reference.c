// story: TVMFFIEnvModLookupFromImports takes a reference each time that it finds a global function; one of an import is borrowed.
// breaks: MOD-0028 fail
#include "fault.h"

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
  if (code != 0) return code;
  TVMFFIByteArray name = {func_name, strlen(func_name)};
  TVMFFIObjectHandle global = NULL;
  if (real.TVMFFIFunctionGetGlobal(&name, &global) == 0 && global && global != *out) real.TVMFFIObjectDecRef(global);
  return 0;
}
