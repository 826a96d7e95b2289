// story: A module of the system library keeps the functions that it has found: a symbol that is registered again is not seen.
// breaks: MOD-0051 fail
#include "wrapped_global.h"
#include <pthread.h>

static struct found {
  void* module;
  char name[128];
  TVMFFIAny function;
  struct found* next;
}* all[4096];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct found** of(void* module) { return &all[(uintptr_t)module / 64 % 4096]; }

static struct found* search(void* module, const TVMFFIByteArray* name) {
  struct found* i = *of(module);
  while (i && (i->module != module || !is(name, i->name))) i = i->next;
  return i;
}

static void add(void* module, const TVMFFIByteArray* name, TVMFFIAny function) {
  struct found* made = calloc(1, sizeof(*made));
  made->module = module;
  memcpy(made->name, name->data, name->size);
  made->function = function;
  made->next = *of(module);
  *of(module) = made;
}

static int system_lib(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray none = {"", 0};
  pthread_mutex_lock(&lock);
  if (!search(result->v_obj, &none)) add(result->v_obj, &none, (TVMFFIAny){0});
  pthread_mutex_unlock(&lock);
  return 0;
}

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIModule) return call_original(original, args, num_args, result);
  TVMFFIByteArray name = text_of(&args[1]), none = {"", 0};
  if (name.size == 0 || name.size >= 128 || memchr(name.data, 0, name.size)) return call_original(original, args, num_args, result);
  pthread_mutex_lock(&lock);
  int system = search(args[0].v_obj, &none) != NULL;
  struct found* found = system ? search(args[0].v_obj, &name) : NULL;
  pthread_mutex_unlock(&lock);
  if (found) {
    real.TVMFFIObjectIncRef(found->function.v_obj);
    *result = found->function;
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !system || result->type_index != kTVMFFIFunction) return code;
  real.TVMFFIObjectIncRef(result->v_obj);
  pthread_mutex_lock(&lock);
  add(args[0].v_obj, &name, *result);
  pthread_mutex_unlock(&lock);
  return 0;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[2];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.SystemLib")) return wrap_found(&wrappers[0], system_lib, out);
  if (is(name, "ffi.ModuleGetFunction")) return wrap_found(&wrappers[1], get, out);
  return 0;
}
