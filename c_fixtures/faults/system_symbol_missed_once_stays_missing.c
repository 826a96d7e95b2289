// story: The system library's module remembers the names that it has found nothing for, and does not see what is registered under them afterwards.
// breaks: MOD-0033 fail
#include "wrapped_global.h"

#include <pthread.h>

struct missed {
  struct missed* next;
  TVMFFIObject* module;
  size_t size;
  char name[];
};

static struct missed* all_missed;
static TVMFFIObject* system_modules[64];
static int num_system_modules;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int system_lib(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIModule) return code;
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < num_system_modules && system_modules[i] != result->v_obj) ++i;
  if (i == num_system_modules && i < 64) system_modules[num_system_modules++] = result->v_obj;
  pthread_mutex_unlock(&lock);
  return code;
}

static int get_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIModule) return call_original(original, args, num_args, result);
  const TVMFFIByteArray name = text_of(&args[1]);
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < num_system_modules && system_modules[i] != args[0].v_obj) ++i;
  const int is_system = i < num_system_modules && name.size > 0;
  struct missed* one = is_system ? all_missed : NULL;
  while (one && !(one->module == args[0].v_obj && one->size == name.size && memcmp(one->name, name.data, name.size) == 0)) one = one->next;
  pthread_mutex_unlock(&lock);
  if (one) {
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code == 0 && is_system && result->type_index == kTVMFFINone && (one = malloc(sizeof(*one) + name.size))) {
    one->module = args[0].v_obj;
    one->size = name.size;
    memcpy(one->name, name.data, name.size);
    pthread_mutex_lock(&lock);
    one->next = all_missed;
    all_missed = one;
    pthread_mutex_unlock(&lock);
  }
  return code;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[2];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.SystemLib")) return wrap_found(&wrappers[0], system_lib, out);
  if (is(name, "ffi.ModuleGetFunction")) return wrap_found(&wrappers[1], get_function, out);
  return 0;
}
