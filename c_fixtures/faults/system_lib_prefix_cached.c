// story: A function of the system library that was found without a prefix is remembered for the module that asked: the one with the module's prefix that is registered later is not found.
// breaks: MOD-0034 fail
#include <pthread.h>
#include "wrapped_global.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct symbol { struct symbol* next; char name[]; }* symbols;
static struct found { struct found* next; void* module; TVMFFIObjectHandle function; char name[]; }* all;
static void drop(const char* name) {
  for (struct found** f = &all; *f;) {
    struct found* one = *f;
    if (strcmp(one->name, name) != 0) { f = &one->next; continue; }
    *f = one->next;
    real.TVMFFIObjectDecRef(one->function);
    free(one);
  }
}
int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol) {
  int code = real.TVMFFIEnvModRegisterSystemLibSymbol(name, symbol);
  if (code != 0 || strncmp(name, "__tvm_ffi_", 10) != 0) return code;
  pthread_mutex_lock(&lock);
  drop(name + 10);
  struct symbol* s = malloc(sizeof(*s) + strlen(name));
  strcpy(s->name, name + 10);
  s->next = symbols;
  symbols = s;
  pthread_mutex_unlock(&lock);
  return 0;
}
/* Whether this and no other symbol that ends with the name is registered. */
static int plain_alone(const char* name) {
  int plain = 0, other = 0;
  for (struct symbol* s = symbols; s; s = s->next) {
    size_t own = strlen(s->name), length = strlen(name);
    if (own < length || strcmp(s->name + own - length, name) != 0) continue;
    if (own == length) plain = 1; else other = 1;
  }
  return plain && !other;
}
/* The modules of the system library: they live as long as the process. */
static void* systems[64];
static int num_systems;
static int system_lib(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0 || result->type_index != kTVMFFIModule) return code;
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < num_systems && systems[i] != result->v_obj) ++i;
  if (i == num_systems && i < 64) systems[num_systems++] = result->v_obj;
  pthread_mutex_unlock(&lock);
  return 0;
}
static int get_function(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  char name[256];
  TVMFFIByteArray asked = n == 3 ? text_of(&args[1]) : (TVMFFIByteArray){"", 0};
  if (n < 2) return system_lib(original, args, n, result);
  if (n != 3 || args[0].type_index != kTVMFFIModule || asked.size == 0 || asked.size >= sizeof(name) || memchr(asked.data, 0, asked.size)) {
    return call_original(original, args, n, result);
  }
  pthread_mutex_lock(&lock);
  int system = 0;
  for (int i = 0; i < num_systems; ++i) system |= systems[i] == args[0].v_obj;
  pthread_mutex_unlock(&lock);
  if (!system) return call_original(original, args, n, result);
  memcpy(name, asked.data, asked.size);
  name[asked.size] = 0;
  pthread_mutex_lock(&lock);
  for (struct found* f = all; f; f = f->next) {
    if (f->module != args[0].v_obj || strcmp(f->name, name) != 0) continue;
    real.TVMFFIObjectIncRef(f->function);
    *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = f->function};
    pthread_mutex_unlock(&lock);
    return 0;
  }
  pthread_mutex_unlock(&lock);
  int code = call_original(original, args, n, result);
  if (code != 0 || result->type_index != kTVMFFIFunction) return code;
  pthread_mutex_lock(&lock);
  if (plain_alone(name)) {
    struct found* f = malloc(sizeof(*f) + strlen(name) + 1);
    *f = (struct found){all, args[0].v_obj, result->v_obj};
    strcpy(f->name, name);
    real.TVMFFIObjectIncRef(f->function);
    all = f;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
WRAPPED_GLOBALS(get_function, "ffi.ModuleGetFunction", "ffi.SystemLib")
