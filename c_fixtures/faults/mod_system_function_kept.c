// story: ffi.ModuleGetFunction keeps what it has found in the system library: after a symbol was registered again the former function is answered.
// breaks: MOD-0051 fail

#include "wrapped_global.h"

#include <pthread.h>

static struct {
  char name[64];
  TVMFFIAny function;
} kept[32];
static unsigned num_kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny system = {.type_index = kTVMFFINone};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIFunction || text_of(&args[1]).size >= 64) return code;
  if (call_global("ffi.SystemLib", NULL, 0, &system) != 0) return -1;
  real.TVMFFIObjectDecRef(system.v_obj);
  if (system.v_obj != args[0].v_obj) return 0;
  TVMFFIByteArray name = text_of(&args[1]);
  pthread_mutex_lock(&lock);
  unsigned i = 0;
  while (i < num_kept && !is(&name, kept[i].name)) ++i;
  if (i < num_kept) {
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = kept[i].function;
    real.TVMFFIObjectIncRef(result->v_obj);
  } else if (num_kept < 32) {
    memcpy(kept[num_kept].name, name.data, name.size);
    kept[num_kept++].function = *result;
    real.TVMFFIObjectIncRef(result->v_obj);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get_function)
