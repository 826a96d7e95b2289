// story: TVMFFIFunctionSetGlobalFromMethodInfo releases the function that it replaces while it holds the lock of the table.
// breaks: ERR-0037 timeout
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  pthread_mutex_lock(&table);
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
  pthread_mutex_unlock(&table);
  return code;
}
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  pthread_mutex_lock(&table);
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  pthread_mutex_unlock(&table);
  return code;
}
