// story: ffi.ToJSONGraph and ffi.ToJSONGraphString share a lock that a thread may take twice: a hook __data_to_json__ that waits for another thread that writes a graph waits for ever.
// breaks: HOK-0021 timeout
#define _GNU_SOURCE
#include <pthread.h>
#include "wrapped_global.h"
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int save(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_mutex_lock(&lock);
  int code = call_original(original, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return code;
}
WRAPPED_GLOBALS(save, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
