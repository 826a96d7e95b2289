// story: The table of functions is locked while the deleter of a replaced function runs: other threads' look-ups wait for it.
// breaks: FUN-0026 timeout
// chance: A fork meets the lock while another thread has it, or does not.
#include "fault.h"
#include <pthread.h>

static pthread_mutex_t lock;

__attribute__((constructor)) static void begin(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
}

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
