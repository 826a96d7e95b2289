// story: A name that was found neither in the imports nor among the globals is not looked for again in the same module.
// breaks: MOD-0025 fail
// breaks: MOD-0026 fail
#include <pthread.h>
#include "fault.h"

struct miss {
  struct miss* next;
  TVMFFIObjectHandle ctx;
  char* name;
};
static struct miss* misses;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  if (!library_ctx || !func_name) return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
  pthread_mutex_lock(&lock);
  struct miss* miss = misses;
  while (miss && !(miss->ctx == library_ctx && strcmp(miss->name, func_name) == 0)) miss = miss->next;
  pthread_mutex_unlock(&lock);
  if (miss) return refuse("RuntimeError", "Cannot find the function in the imported modules or global registry.");
  int code = real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
  if (code != 0) {
    miss = malloc(sizeof(*miss));
    miss->ctx = library_ctx;
    miss->name = strdup(func_name);
    pthread_mutex_lock(&lock);
    miss->next = misses;
    misses = miss;
    pthread_mutex_unlock(&lock);
  }
  return code;
}
