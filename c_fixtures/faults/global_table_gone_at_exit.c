// story: The library empties its table of global functions when the process begins to end, so a handler that runs later finds none (the guides say that registries stay; GLB-0001 is the nearest clause).
// breaks: GLB-0001 fail
#include "fault.h"

static int ended;

static void end(void) { ended = 1; }

__attribute__((constructor)) static void begin(void) { atexit(end); }

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  if (!ended) return real.TVMFFIFunctionGetGlobal(name, out);
  *out = NULL;
  return 0;
}
