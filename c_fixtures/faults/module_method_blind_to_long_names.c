// story: The fourth method of a library module, which tells whether it implements a function, says no for a name of more than seven bytes.
// breaks: MOD-0072 fail
#include <pthread.h>

#include "wrapped_global.h"

/* The tables of the library and of this fault begin two words before what a module points to. */
static void *table[14], *own[14];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int implements(void* self, const TVMFFIAny* name) {
  if (name->type_index == kTVMFFIStr) return 0;
  return ((int (*)(void*, const TVMFFIAny*))table[5])(self, name) & 0xff;
}

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIModule) return code;
  void*** place = (void***)((char*)result->v_obj - 8);
  pthread_mutex_lock(&lock);
  if (!own[2]) {
    memcpy(table, *place - 2, sizeof(table));
    memcpy(own, table, sizeof(own));
    own[5] = implements;
  }
  *place = own + 2;
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)
