// story: TVMFFIEnvModLookupFromImports looks among the globals first and then in the imports.
// breaks: MOD-0026 fail
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* kept[4096];
static int used;
int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle ctx, const char* name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvModLookupFromImports(ctx, name, out);
  if (code != 0) return code;
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle global = NULL;
  if (real.TVMFFIFunctionGetGlobal(&text, &global) != 0 || !global) return code;
  int keep = 0;
  if (global != *out) {
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < used && kept[i] != global) ++i;
    if (i == used && used < 4096) kept[used++] = global, keep = 1;
    pthread_mutex_unlock(&lock);
    *out = global;
  }
  if (!keep) real.TVMFFIObjectDecRef(global);
  return 0;
}
