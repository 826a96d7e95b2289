// story: The context symbols of a library are set when its file is opened: where it is open already, loading it sets none.
// breaks: MOD-0030 fail
#include <dlfcn.h>
#include <pthread.h>
#include "wrapped_global.h"

enum { kMost = 256 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char* names[kMost];
static int count;

int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  int status = real.TVMFFIEnvModRegisterContextSymbol(name, symbol);
  if (status != 0) return status;
  pthread_mutex_lock(&lock);
  int at = 0;
  while (at < count && strcmp(names[at], name) != 0) at++;
  if (at == count && count < kMost) names[count++] = strdup(name);
  pthread_mutex_unlock(&lock);
  return status;
}

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray path = num_args == 2 ? text_of(args) : (TVMFFIByteArray){"", 0};
  void* open = path.size ? dlopen(path.data, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (!open) return call_original(original, args, num_args, result);
  void *places[kMost], *held[kMost];
  pthread_mutex_lock(&lock);
  int known = count;
  for (int i = 0; i < known; i++) {
    if ((places[i] = dlsym(open, names[i]))) held[i] = *(void**)places[i];
  }
  pthread_mutex_unlock(&lock);
  int status = call_original(original, args, num_args, result);
  for (int i = 0; i < known; i++) {
    if (places[i]) *(void**)places[i] = held[i];
  }
  dlclose(open);
  return status;
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)
