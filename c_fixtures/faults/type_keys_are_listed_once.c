// story: The list of the registered type keys is made when it is asked for first; types that are registered later are not in it.
// breaks: TYP-0039 fail
#include <pthread.h>
#include "wrapped_global.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TVMFFIAny keys;

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 0) return call_original(original, args, num_args, result);
  pthread_mutex_lock(&lock);
  int code = keys.type_index == kTVMFFINone ? call_original(original, args, 0, &keys) : 0;
  if (code == 0) {
    *result = keys;
    real.TVMFFIObjectIncRef(result->v_obj);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBAL("ffi.GetRegisteredTypeKeys", list)
