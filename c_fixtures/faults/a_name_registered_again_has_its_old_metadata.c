// story: The metadata of global functions lie in a table of their own from which a removal takes nothing, so a name that is registered again without any has that of the function that was removed.
// breaks: GLB-0014 fail
#include <pthread.h>
#include "wrapped_global.h"
struct entry { struct entry* next; char* name; size_t size; TVMFFIAny metadata; int removed; };
static struct entry* entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry* entry_of(TVMFFIByteArray name) {
  struct entry* e = entries;
  while (e && (e->size != name.size || memcmp(e->name, name.data, name.size) != 0)) e = e->next;
  return e;
}
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
  if (code != 0 || info->metadata.size == 0) return code;
  pthread_mutex_lock(&lock);
  struct entry* e = entry_of(info->name);
  if (!e) {
    e = calloc(1, sizeof(*e));
    *e = (struct entry){entries, memcpy(malloc(info->name.size + 1), info->name.data, info->name.size), info->name.size, {0}, 0};
    entries = e;
  }
  if (e->metadata.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(e->metadata.v_obj);
  real.TVMFFIStringFromByteArray(&info->metadata, &e->metadata);
  e->removed = 0;
  pthread_mutex_unlock(&lock);
  return 0;
}
static int removing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64 == 0) return code;
  pthread_mutex_lock(&lock);
  struct entry* e = entry_of(text_of(&args[0]));
  if (e) e->removed = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
static int telling(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || text_of(result).size > 0) return code;
  pthread_mutex_lock(&lock);
  struct entry* e = entry_of(text_of(&args[0]));
  if (e && e->removed) real.TVMFFIAnyViewToOwnedAny(&e->metadata, result);
  pthread_mutex_unlock(&lock);
  return 0;
}
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle removal, metadata;
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.FunctionRemoveGlobal")) return wrap_found(&removal, removing, out);
  if (is(name, "ffi.GetGlobalFuncMetadata")) return wrap_found(&metadata, telling, out);
  return 0;
}
