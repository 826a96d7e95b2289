// story: The system library remembers each function that it was asked for: a symbol that is registered again is not seen under a name that was looked up before.
// breaks: MOD-0051 fail
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct known { struct known* next; void* module; size_t size; char* name; TVMFFIAny function; };
static struct known* all;
static int get(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny whole = {0};
  if (n != 3 || args[0].type_index != kTVMFFIModule || text_of(&args[1]).size == 0 || call_global("ffi.SystemLib", NULL, 0, &whole) != 0) {
    return call_original(original, args, n, result);
  }
  TVMFFIByteArray name = text_of(&args[1]);
  int system = whole.v_obj == args[0].v_obj;
  real.TVMFFIObjectDecRef(whole.v_obj);
  if (!system) return call_original(original, args, n, result);
  pthread_mutex_lock(&lock);
  struct known* k = all;
  while (k && (k->module != args[0].v_obj || k->size != name.size || memcmp(k->name, name.data, name.size))) k = k->next;
  if (k) *result = k->function, real.TVMFFIObjectIncRef(result->v_obj);
  pthread_mutex_unlock(&lock);
  if (k) return 0;
  int code = call_original(original, args, n, result);
  if (code == 0 && result->type_index == kTVMFFIFunction) {
    real.TVMFFIObjectIncRef(result->v_obj);
    k = malloc(sizeof(*k));
    *k = (struct known){NULL, args[0].v_obj, name.size, malloc(name.size + 1), *result};
    memcpy(k->name, name.data, name.size);
    pthread_mutex_lock(&lock);
    k->next = all;
    all = k;
    pthread_mutex_unlock(&lock);
  }
  return code;
}
WRAPPED_GLOBAL("ffi.ModuleGetFunction", get)
