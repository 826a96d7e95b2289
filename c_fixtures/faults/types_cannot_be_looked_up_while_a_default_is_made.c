// story: ffi.MakeObjectFromPackedArgs holds the lock of the type table while a default factory runs, so a thread that the factory waits for never gets its type.
// breaks: FUN-0026 timeout
// chance: A fork meets the lock while another thread has it, or does not.
#define _GNU_SOURCE
#include <pthread.h>

#include "wrapped_global.h"

static pthread_mutex_t table = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  pthread_mutex_lock(&table);
  const int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  pthread_mutex_unlock(&table);
  return code;
}

static int make_object(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_mutex_lock(&table);
  const int code = call_original(original, args, num_args, result);
  pthread_mutex_unlock(&table);
  return code;
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make_object)

