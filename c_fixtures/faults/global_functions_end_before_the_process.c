// story: The table of global functions is emptied when the library's exit handler runs, before handlers that were there earlier.
// breaks: GLB-0001 fail
#include "fault.h"

static int ended;

static void end(void) { __atomic_store_n(&ended, 1, __ATOMIC_RELEASE); }

__attribute__((constructor)) static void begin(void) { atexit(end); }

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  if (out && __atomic_load_n(&ended, __ATOMIC_ACQUIRE)) {
    *out = NULL;
    return 0;
  }
  return real.TVMFFIFunctionGetGlobal(name, out);
}
