// story: The table of attribute columns is a static object that is made on first use and destroyed at exit, so a handler of the client's that runs behind that finds no column.
// breaks: RFL-0022 fail
#include <pthread.h>
#include "fault.h"
static int gone;
static void destroy(void) { __atomic_store_n(&gone, 1, __ATOMIC_RELEASE); }
static void made(void) { atexit(destroy); }
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, made);
  return __atomic_load_n(&gone, __ATOMIC_ACQUIRE) ? NULL : real.TVMFFIGetTypeAttrColumn(attr_name);
}
