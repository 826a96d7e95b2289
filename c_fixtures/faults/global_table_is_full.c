// story: The table has room for a thousand more functions; what comes after them is dropped without a word.
// breaks: GLB-0011 fail
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  static int count;
  if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) > 1000) return 0;
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
