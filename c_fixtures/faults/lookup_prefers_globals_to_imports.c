// story: TVMFFIEnvModLookupFromImports answers a global function even when an import has a function of the same name.
// breaks: MOD-0026 fail
#include "fault.h"

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  if (library_ctx && func_name && out) {
    TVMFFIObjectHandle function = NULL;
    if (real.TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){func_name, strlen(func_name)}, &function) == 0 && function) {
      real.TVMFFIObjectDecRef(function);
      *out = function;
      return 0;
    }
  }
  return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
}
