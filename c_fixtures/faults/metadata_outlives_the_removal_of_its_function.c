// story: Metadata is kept by name and forgotten when a function is replaced, but not when it is removed and another is registered.
// breaks: GLB-0014 fail
#include "wrapped_global.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry { struct entry* next; TVMFFIByteArray name, metadata; int gone; }* entries;

static TVMFFIByteArray copy_of(const TVMFFIByteArray* text) {
  char* copy = malloc(text->size + 1);
  if (text->size) memcpy(copy, text->data, text->size);
  return (TVMFFIByteArray){copy, text->size};
}

static struct entry* entry_of(const TVMFFIByteArray* name) {
  struct entry* entry = entries;
  while (entry && (entry->name.size != name->size || memcmp(entry->name.data, name->data, name->size) != 0)) entry = entry->next;
  return entry;
}

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  const int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  struct entry* entry = entry_of(&method_info->name);
  if (!entry) {
    entry = calloc(1, sizeof(*entry));
    entry->name = copy_of(&method_info->name);
    entry->next = entries;
    entries = entry;
  } else {
    free((char*)entry->metadata.data);
  }
  entry->metadata = copy_of(&method_info->metadata);
  entry->gone = 0;
  pthread_mutex_unlock(&lock);
  return 0;
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle before = NULL;
  if (name) real.TVMFFIFunctionGetGlobal(name, &before);
  const int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  if (code == 0 && before) {
    pthread_mutex_lock(&lock);
    struct entry* entry = entry_of(name);
    if (entry) entry->gone = 1;
    pthread_mutex_unlock(&lock);
  }
  if (before) real.TVMFFIObjectDecRef(before);
  return code;
}

static int metadata(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || text_of(result).size > 0) return code;
  const TVMFFIByteArray name = text_of(&args[0]);
  pthread_mutex_lock(&lock);
  const struct entry* entry = entry_of(&name);
  if (entry && !entry->gone && entry->metadata.size > 0) {
    if (result->type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(result->v_obj);
    code = real.TVMFFIStringFromByteArray(&entry->metadata, result);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBAL("ffi.GetGlobalFuncMetadata", metadata)

