// story: The system library remembers the functions that it has found: a symbol that is registered again later has no effect on them.
// breaks: MOD-0051 fail
#include <pthread.h>
#include "wrapped_global.h"

struct found {
  struct found* next;
  TVMFFIObject* module;
  char* name;
  TVMFFIAny function;
};
static struct found* all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny system = {0};
  if (num_args != 3 || args[0].type_index != kTVMFFIModule || text_of(&args[1]).size == 0 ||
      call_global("ffi.SystemLib", NULL, 0, &system) != 0) {
    return call_original(original, args, num_args, result);
  }
  real.TVMFFIObjectDecRef(system.v_obj);
  if (system.v_obj != args[0].v_obj) return call_original(original, args, num_args, result);
  TVMFFIByteArray name = text_of(&args[1]);
  pthread_mutex_lock(&lock);
  struct found* found = all;
  while (found && !(found->module == args[0].v_obj && is(&name, found->name))) found = found->next;
  int code = 0;
  if (found) {
    *result = found->function;
    real.TVMFFIObjectIncRef(result->v_obj);
  } else {
    code = call_original(original, args, num_args, result);
    if (code == 0 && result->type_index == kTVMFFIFunction) {
      found = malloc(sizeof(*found));
      *found = (struct found){all, args[0].v_obj, strndup(name.data, name.size), *result};
      real.TVMFFIObjectIncRef(result->v_obj);
      all = found;
    }
  }
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", find)
