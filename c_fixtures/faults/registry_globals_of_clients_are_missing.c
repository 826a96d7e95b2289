// story: Of the global functions that the Python package looks up, one of each kind is missing.
// breaks: REG-0044 fail
// breaks: REG-0045 fail
// breaks: REG-0046 fail
// breaks: REG-0047 fail
// breaks: REG-0048 fail
// breaks: REG-0049 fail
// breaks: REG-0051 fail
// breaks: REG-0052 fail
#include "fault.h"

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static const char* const missing[] = {"ffi.SystemLib",       "ffi.GetRegisteredTypeKeys",
                                        "ffi.ModuleGlobalsAdd", "ffi.ArrayContains",
                                        "ffi.ListReverse",     "ffi.RecursiveGe",
                                        "ffi.StructuralVisitorVisit", "ffi.StructuralMutatorVarRemapGet"};
  for (size_t i = 0; name && i < sizeof(missing) / sizeof(missing[0]); ++i) {
    if (name->size != strlen(missing[i]) || memcmp(name->data, missing[i], name->size) != 0) continue;
    *out = NULL;
    return 0;
  }
  return real.TVMFFIFunctionGetGlobal(name, out);
}
