// story: TVMFFIEnvModRegisterSystemLibSymbol keeps the address of the name and reads it when a function is looked for, when the caller may have written something else there.
// breaks: MOD-0033 fail
#include "wrapped_global.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiting { const char* name; void* symbol; } waiting[1024];
static int num_waiting;

static void settle(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < num_waiting; ++i) real.TVMFFIEnvModRegisterSystemLibSymbol(waiting[i].name, waiting[i].symbol);
  num_waiting = 0;
  pthread_mutex_unlock(&lock);
}

int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol) {
  pthread_mutex_lock(&lock);
  const int has_room = name && num_waiting < 1024;
  if (has_room) waiting[num_waiting++] = (struct waiting){name, symbol};
  pthread_mutex_unlock(&lock);
  return has_room ? 0 : real.TVMFFIEnvModRegisterSystemLibSymbol(name, symbol);
}

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  settle();
  return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
}

static int search(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  settle();
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(search, "ffi.ModuleGetFunction", "ffi.ModuleImplementsFunction", "ffi.ModuleGetFunctionDoc", "ffi.ModuleGetFunctionMetadata")
