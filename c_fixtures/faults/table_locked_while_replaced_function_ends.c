// story: A function that is replaced through a method info ends while the table is locked, so that its deleter cannot look a function up.
// breaks: FUN-0026 timeout
// chance: A fork meets the lock while another thread has it, or does not.
#include <pthread.h>
#include "fault.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
  pthread_mutex_unlock(&lock);
  return code;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  pthread_mutex_unlock(&lock);
  return code;
}
