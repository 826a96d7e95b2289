// story: A lookup looks at the name that was registered last where its caller had it.
// breaks: GLB-0010 crash
#include "fault.h"

/* The latest of this thread: what others had on their stacks may be gone. */
static _Thread_local TVMFFIByteArray latest;

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  if (code == 0) latest = *name;
  return code;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  if (latest.size > 0) (void)*(volatile char*)latest.data;
  return real.TVMFFIFunctionGetGlobal(name, out);
}
