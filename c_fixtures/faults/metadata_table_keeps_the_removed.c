// story: The metadata of global functions lies in a table of its own, from which removing a function takes nothing: what is registered under the name later, without any, inherits it.
// breaks: GLB-0014 fail
#include <pthread.h>
#include "wrapped_global.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry { struct entry* next; TVMFFIAny name, metadata; }* kept;
static struct entry* find(TVMFFIByteArray name) {
  struct entry* e = kept;
  for (; e; e = e->next) {
    TVMFFIByteArray own = text_of(&e->name);
    if (own.size == name.size && memcmp(own.data, name.data, name.size) == 0) break;
  }
  return e;
}
static int remove_global(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny metadata = {0};
  TVMFFIObjectHandle before = NULL, error = NULL;
  real.TVMFFIErrorMoveFromRaised(&before);
  if (n == 1 && text_of(args).size && call_global("ffi.GetGlobalFuncMetadata", args, 1, &metadata) == 0 && text_of(&metadata).size) {
    TVMFFIByteArray name = text_of(args);
    pthread_mutex_lock(&lock);
    struct entry* e = find(name);
    if (!e) {
      e = calloc(1, sizeof(*e));
      real.TVMFFIStringFromByteArray(&name, &e->name);
      e->next = kept;
      kept = e;
    }
    e->metadata = metadata;
    pthread_mutex_unlock(&lock);
  }
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
  real.TVMFFIErrorSetRaised(before);
  if (before) real.TVMFFIObjectDecRef(before);
  return call_original(original, args, n, result);
}
static int get_metadata(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0 || text_of(result).size) return code;
  pthread_mutex_lock(&lock);
  struct entry* e = find(text_of(args));
  if (e) real.TVMFFIAnyViewToOwnedAny(&e->metadata, result);
  pthread_mutex_unlock(&lock);
  return 0;
}
static int either(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIObjectHandle f = NULL;
  static const TVMFFIByteArray name = {"ffi.FunctionRemoveGlobal", 24};
  real.TVMFFIFunctionGetGlobal(&name, &f);
  if (f) real.TVMFFIObjectDecRef(f);
  return (f == original ? remove_global : get_metadata)(original, args, n, result);
}
WRAPPED_GLOBALS(either, "ffi.FunctionRemoveGlobal", "ffi.GetGlobalFuncMetadata")
