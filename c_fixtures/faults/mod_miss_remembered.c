// story: TVMFFIEnvModLookupFromImports remembers the names that it has not found for a module and does not find them when an import or a global has come since.
// breaks: MOD-0025 fail
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct miss { struct miss* next; void* context; char name[]; } *misses;
int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle context, const char* name, TVMFFIObjectHandle* out) {
  if (!context || !name) return real.TVMFFIEnvModLookupFromImports(context, name, out);
  int known = 0;
  pthread_mutex_lock(&lock);
  for (struct miss* miss = misses; miss; miss = miss->next) known |= miss->context == context && strcmp(miss->name, name) == 0;
  pthread_mutex_unlock(&lock);
  if (known) return refuse("RuntimeError", "Cannot find function in the imported modules or global registry.");
  int code = real.TVMFFIEnvModLookupFromImports(context, name, out);
  if (code != 0) {
    struct miss* miss = malloc(sizeof *miss + strlen(name) + 1);
    miss->context = context;
    strcpy(miss->name, name);
    pthread_mutex_lock(&lock);
    miss->next = misses;
    misses = miss;
    pthread_mutex_unlock(&lock);
  }
  return code;
}
