// story: What a thread other than the first registers goes to a name of its own.
// breaks: GLB-0029 fail
#include "first_thread.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  char own[256];
  if (!name || name->size > 200 || is_first_thread()) return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  TVMFFIByteArray its = {own, (size_t)snprintf(own, sizeof(own), "%.*s@thread", (int)name->size, name->data)};
  return real.TVMFFIFunctionSetGlobal(&its, f, allow_override);
}
