// story: The list of registered type keys is made at the first call and answered ever after.
// breaks: TYP-0039 fail
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TVMFFIAny keys;
static int answer(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 0) return call_original(original, args, n, result);
  pthread_mutex_lock(&lock);
  int code = keys.v_obj ? 0 : call_original(original, args, n, &keys);
  if (code == 0) real.TVMFFIObjectIncRef(keys.v_obj), *result = keys;
  pthread_mutex_unlock(&lock);
  return code;
}
WRAPPED_GLOBAL("ffi.GetRegisteredTypeKeys", answer)
