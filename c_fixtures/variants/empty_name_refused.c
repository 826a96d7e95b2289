// story: The empty string is refused as the name of a global function.
// admitted: GLB-0012 is a SHOULD (broken here); it is never found (GLB-0003).
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  if (name && name->size == 0) return refuse("ValueError", "a name has at least one byte");
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  if (info && info->name.size == 0) return refuse("ValueError", "a name has at least one byte");
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
}
