// story: The module of ffi.SystemLib keeps each function that it has found, and looks the name up no more.
// breaks: MOD-0034 fail
// breaks: MOD-0051 fail
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* modules[32];
static int num_modules;
static struct { void* module; char* name; size_t size; TVMFFIObjectHandle f; } cache[256];
static int used;
static int system_lib(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  int known = 0;
  for (int i = 0; i < num_modules; ++i) known |= modules[i] == result->v_obj;
  if (!known && num_modules < 32) modules[num_modules++] = result->v_obj;
  pthread_mutex_unlock(&lock);
  return 0;
}
static int get(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int mine = 0, found = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < num_modules && n == 3; ++i) mine |= args[0].type_index == kTVMFFIModule && modules[i] == args[0].v_obj;
  TVMFFIByteArray name = mine ? text_of(&args[1]) : (TVMFFIByteArray){"", 0};
  for (int i = 0; i < used && mine && !found; ++i)
    if (cache[i].module == args[0].v_obj && cache[i].size == name.size && !memcmp(cache[i].name, name.data, name.size)) {
      found = 1;
      *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = cache[i].f};
      real.TVMFFIObjectIncRef(cache[i].f);
    }
  pthread_mutex_unlock(&lock);
  if (found) return 0;
  int code = call_original(self, args, n, result);
  if (code != 0 || !mine || result->type_index != kTVMFFIFunction) return code;
  pthread_mutex_lock(&lock);
  if (used < 256) {
    cache[used].module = args[0].v_obj;
    cache[used].name = memcpy(malloc(name.size + 1), name.data, cache[used].size = name.size);
    real.TVMFFIObjectIncRef(cache[used++].f = result->v_obj);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle first, second;
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.SystemLib")) return wrap_found(&first, system_lib, out);
  if (is(name, "ffi.ModuleGetFunction")) return wrap_found(&second, get, out);
  return 0;
}
