// story: Registering functions and registering attributes share a lock that a thread may take twice; it is held while a function that is replaced ends, so a deleter that waits for another thread that registers an attribute waits for ever.
// breaks: FUN-0026 timeout
#define _GNU_SOURCE
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  pthread_mutex_unlock(&lock);
  return code;
}
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  pthread_mutex_lock(&lock);
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  pthread_mutex_unlock(&lock);
  return code;
}
