// story: What a module has found in its imports is remembered by the name alone: another module is answered with it.
// breaks: MOD-0025 fail
#include <pthread.h>
#include "fault.h"

enum { kLongest = 63 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct found {
  struct found* next;
  char name[kLongest + 1];
  TVMFFIObjectHandle function;
}* first;

/** Whether a global function is what was found. */
static int is_global(const char* name, TVMFFIObjectHandle function) {
  TVMFFIObjectHandle global = NULL;
  TVMFFIByteArray text = {name, strlen(name)};
  real.TVMFFIFunctionGetGlobal(&text, &global);
  if (global) real.TVMFFIObjectDecRef(global);
  return global == function;
}

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  if (!library_ctx || !func_name || !out || strlen(func_name) > kLongest) {
    return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
  }
  pthread_mutex_lock(&lock);
  struct found* one = first;
  while (one && strcmp(one->name, func_name) != 0) one = one->next;
  pthread_mutex_unlock(&lock);
  if (one) {
    *out = one->function;
    return 0;
  }
  int status = real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
  if (status != 0 || is_global(func_name, *out) || !(one = malloc(sizeof(*one)))) return status;
  strcpy(one->name, func_name);
  real.TVMFFIObjectIncRef(one->function = *out);
  pthread_mutex_lock(&lock);
  one->next = first;
  first = one;
  pthread_mutex_unlock(&lock);
  return status;
}
