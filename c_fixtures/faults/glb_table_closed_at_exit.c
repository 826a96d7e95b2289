// story: The table of global functions is emptied when the process begins to end: handlers that run later find nothing.
// breaks: GLB-0001 fail

#include "fault.h"

static int closed;

static void close_table(void) { __atomic_store_n(&closed, 1, __ATOMIC_RELEASE); }

__attribute__((constructor)) static void open_table(void) { atexit(close_table); }

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  if (__atomic_load_n(&closed, __ATOMIC_ACQUIRE) && name && out) {
    *out = NULL;
    return 0;
  }
  return real.TVMFFIFunctionGetGlobal(name, out);
}
