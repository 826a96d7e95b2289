// story: A global function that is removed leaves its metadata to the next one of its name that has none.
// breaks: GLB-0014 fail
#include "wrapped_global.h"
#include <pthread.h>

struct left {
  char* name;
  size_t name_size;
  char* metadata;
  size_t metadata_size;
  int removed;
  struct left* next;
};
static struct left* all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct left** find_left(const TVMFFIByteArray* name) {
  struct left** place = &all;
  while (*place && ((*place)->name_size != name->size || memcmp((*place)->name, name->data, name->size) != 0)) place = &(*place)->next;
  return place;
}

static void drop(const TVMFFIByteArray* name, int even_removed) {
  struct left** place = find_left(name);
  struct left* found = *place;
  if (!found || (found->removed && !even_removed)) return;
  *place = found->next;
  free(found->name);
  free(found->metadata);
  free(found);
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  if (code != 0 || name->size == 0) return code;
  pthread_mutex_lock(&lock);
  drop(name, 0);
  pthread_mutex_unlock(&lock);
  return 0;
}

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
  if (code != 0 || info->name.size == 0) return code;
  pthread_mutex_lock(&lock);
  drop(&info->name, info->metadata.size != 0);
  if (info->metadata.size) {
    struct left* made = calloc(1, sizeof(*made));
    made->name_size = info->name.size;
    made->name = memcpy(malloc(made->name_size), info->name.data, made->name_size);
    made->metadata_size = info->metadata.size;
    made->metadata = memcpy(malloc(made->metadata_size), info->metadata.data, made->metadata_size);
    made->next = all;
    all = made;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

static int removed(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1) {
    TVMFFIByteArray name = text_of(&args[0]);
    pthread_mutex_lock(&lock);
    struct left* found = *find_left(&name);
    if (found) found->removed = 1;
    pthread_mutex_unlock(&lock);
  }
  return call_original(original, args, num_args, result);
}

static int described(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || text_of(result).size != 0) return code;
  TVMFFIByteArray name = text_of(&args[0]);
  pthread_mutex_lock(&lock);
  struct left* found = *find_left(&name);
  if (found) {
    if (result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
    const TVMFFIByteArray metadata = {found->metadata, found->metadata_size};
    code = real.TVMFFIStringFromByteArray(&metadata, result);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[2];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.FunctionRemoveGlobal")) return wrap_found(&wrappers[0], removed, out);
  if (is(name, "ffi.GetGlobalFuncMetadata")) return wrap_found(&wrappers[1], described, out);
  return 0;
}
