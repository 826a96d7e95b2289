// story: A symbol of the system library that a module has found already is frozen: registering it again succeeds and changes nothing.
// breaks: MOD-0051 fail
#include <pthread.h>
#include "wrapped_global.h"
struct found { struct found* next; char name[]; };
static struct found* all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIFunction) return code;
  const TVMFFIByteArray name = text_of(&args[1]);
  struct found* f = malloc(sizeof(*f) + name.size + 1);
  memcpy(f->name, name.data, name.size);
  f->name[name.size] = 0;
  pthread_mutex_lock(&lock);
  f->next = all;
  all = f;
  pthread_mutex_unlock(&lock);
  return 0;
}
WRAPPED_GLOBAL("ffi.ModuleGetFunction", get_function)
int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol) {
  int frozen = 0;
  pthread_mutex_lock(&lock);
  for (struct found* f = all; f && name && strncmp(name, "__tvm_ffi_", 10) == 0; f = f->next) frozen |= strcmp(f->name, name + 10) == 0;
  pthread_mutex_unlock(&lock);
  return frozen ? 0 : real.TVMFFIEnvModRegisterSystemLibSymbol(name, symbol);
}
