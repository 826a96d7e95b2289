// story: The table of global functions is locked, for other threads, while a function that was replaced ends: a deleter that waits for a thread that looks a function up waits for ever.
// breaks: FUN-0026 fail
// chance: A lock of the fault may be held by another thread when the process makes a copy of itself, which then waits for it.
#define _GNU_SOURCE
#include <pthread.h>
#include "fault.h"
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
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
