// story: A function that is replaced ends while the global table is locked for look-ups too, so that its deleter cannot look a function up.
// breaks: GLB-0031 timeout
// chance: A fork meets the lock while another thread has it, or does not.
#include <pthread.h>
#include "fault.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  pthread_mutex_unlock(&lock);
  return code;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  pthread_mutex_unlock(&lock);
  return code;
}
