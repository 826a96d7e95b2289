// story: A List is changed under a lock that all Lists have together: an element that ends then and takes one out of another List waits for ever.
// breaks: CNT-0008 timeout
#include <pthread.h>
#include "wrapped_global.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int change(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_mutex_lock(&lock);
  int code = call_original(original, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBALS(change, "ffi.ListErase", "ffi.ListEraseRange", "ffi.ListClear", "ffi.ListPop", "ffi.ListSetItem", "ffi.ListAppend")
