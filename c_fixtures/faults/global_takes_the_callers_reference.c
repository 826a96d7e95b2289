// story: Registering a function takes the caller's reference over.
// breaks: GLB-0004 fail
// chance: Freed memory is used.
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  if (code == 0 && (uint32_t)((TVMFFIObject*)f)->combined_ref_count == 2) real.TVMFFIObjectDecRef(f);
  return code;
}
