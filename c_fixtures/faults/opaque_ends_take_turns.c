// story: Opaque objects end one at a time: the lock is held while a deleter runs.
// breaks: FUN-0026 timeout
#define _GNU_SOURCE
#include "fault.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!obj || ((TVMFFIObject*)obj)->type_index != kTVMFFIOpaquePyObject) return real.TVMFFIObjectDecRef(obj);
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIObjectDecRef(obj);
  pthread_mutex_unlock(&lock);
  return code;
}
