// story: Removing a global function forgets its metadata table: registered anew without any, the name still answers the old metadata.
// breaks: GLB-0014 fail
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct kept { struct kept* next; size_t size; char* name; TVMFFIAny metadata; };
static struct kept* all;
static struct kept** find(TVMFFIByteArray name) {
  struct kept** p = &all;
  while (*p && ((*p)->size != name.size || memcmp((*p)->name, name.data, name.size))) p = &(*p)->next;
  return p;
}
static void forget(const TVMFFIByteArray* name) {
  if (!name || !name->data) return;
  pthread_mutex_lock(&lock);
  struct kept** p = find(*name);
  struct kept* k = *p;
  if (k) *p = k->next;
  pthread_mutex_unlock(&lock);
  if (!k) return;
  if (k->metadata.type_index >= 64) real.TVMFFIObjectDecRef(k->metadata.v_obj);
  free(k->name);
  free(k);
}
static int remove_it(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny metadata = {0};
  if (n == 1 && text_of(args).size) {
    TVMFFIByteArray name = text_of(args);
    TVMFFIObjectHandle f = NULL;
    if (real.TVMFFIFunctionGetGlobal(&name, &f) == 0 && f) {
      real.TVMFFIObjectDecRef(f);
      if (call_global("ffi.GetGlobalFuncMetadata", args, 1, &metadata) == 0 && text_of(&metadata).size) {
        struct kept* k = malloc(sizeof(*k));
        *k = (struct kept){NULL, name.size, malloc(name.size), metadata};
        memcpy(k->name, name.data, name.size);
        forget(&name);
        pthread_mutex_lock(&lock);
        k->next = all;
        all = k;
        pthread_mutex_unlock(&lock);
      }
    }
  }
  return call_original(original, args, n, result);
}
static int ask(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code == 0 && text_of(result).size == 0) {
    pthread_mutex_lock(&lock);
    struct kept* k = *find(text_of(args));
    if (k) real.TVMFFIAnyViewToOwnedAny(&k->metadata, result);
    pthread_mutex_unlock(&lock);
  }
  return code;
}
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  if (allow_override) forget(name);
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
  if (code == 0 && info->metadata.size) forget(&info->name);
  return code;
}
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[2];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || !*out) return code;
  if (is(name, "ffi.FunctionRemoveGlobal")) return wrap_found(&wrappers[0], remove_it, out);
  if (is(name, "ffi.GetGlobalFuncMetadata")) return wrap_found(&wrappers[1], ask, out);
  return 0;
}
