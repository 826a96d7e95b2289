// story: TVMFFIFunctionSetGlobalFromMethodInfo releases the function that it replaces under the lock of the table, so its deleter waits for ever when it looks a function up.
// breaks: FUN-0026 fail
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
