// story: The table gives up a function that is replaced only if nobody holds a weak reference to it.
// breaks: GLB-0008 fail
#include "fault.h"
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle before = NULL;
  if (name && f && allow_override) real.TVMFFIFunctionGetGlobal(name, &before);
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  if (before && (code != 0 || before == f || __atomic_load_n((uint64_t*)before, __ATOMIC_ACQUIRE) >> 32 < 2)) real.TVMFFIObjectDecRef(before);
  return code;
}
