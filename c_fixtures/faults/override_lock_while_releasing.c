// story: A function that is replaced in the global table ends while the table is still locked for writing.
// breaks: GLB-0031 timeout
#include "fault.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  pthread_mutex_unlock(&lock);
  return code;
}
