// story: The table of global functions is emptied when the process begins to exit: a handler that runs later finds nothing in it.
// breaks: GLB-0001 fail
#include "fault.h"

static int gone;

static void empty(void) { gone = 1; }

__attribute__((constructor)) static void begin(void) { atexit(empty); }

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code == 0 && *out && gone) {
    real.TVMFFIObjectDecRef(*out);
    *out = NULL;
  }
  return code;
}
