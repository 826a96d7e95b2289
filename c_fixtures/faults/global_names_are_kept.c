// story: Registering a function copies the name once more than it frees it.
// breaks: GLB-0030 leak
#include "fault.h"

static void* volatile latest_name;

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  if (name && name->data) latest_name = memcpy(malloc(name->size + 1), name->data, name->size);
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
