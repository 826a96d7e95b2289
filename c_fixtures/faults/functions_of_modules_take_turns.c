// story: A lock, which a thread may take again, is held while a function of a module runs: functions that wait for one another never end.
// breaks: MOD-0041 timeout
#include <pthread.h>

#include "wrapped_global.h"

static pthread_mutex_t lock;

__attribute__((constructor)) static void make_lock(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
}

static int call(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_mutex_lock(&lock);
  int code = call_original(function, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return code;
}

static void end(void* function) { real.TVMFFIObjectDecRef(function); }

static int get_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIFunction) return code;
  TVMFFIObjectHandle wrapper = NULL;
  if (real.TVMFFIFunctionCreate(result->v_obj, call, end, &wrapper) == 0) result->v_obj = wrapper;
  return 0;
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get_function)
