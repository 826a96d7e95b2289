// story: The metadata of a function stay behind when it is removed, and are those of a function that is registered under the name later without any.
// breaks: GLB-0014 fail
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry { struct entry* next; TVMFFIByteArray name, metadata; int removed; } *entries;
static struct entry* entry_of(const TVMFFIByteArray* name) {
  struct entry* entry = entries;
  while (entry && (entry->name.size != name->size || memcmp(entry->name.data, name->data, name->size) != 0)) entry = entry->next;
  return entry;
}
static TVMFFIByteArray copy(TVMFFIByteArray text) {
  char* data = malloc(text.size + 1);
  if (text.size) memcpy(data, text.data, text.size);
  return (TVMFFIByteArray){data, text.size};
}
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  struct entry* entry = entry_of(&info->name);
  if (!entry) { entry = calloc(1, sizeof *entry); entry->name = copy(info->name); entry->next = entries; entries = entry; }
  free((char*)entry->metadata.data);
  entry->metadata = copy(info->metadata);
  entry->removed = 0;
  pthread_mutex_unlock(&lock);
  return 0;
}
static int by_name(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFIByteArray name = text_of(&args[0]);
  pthread_mutex_lock(&lock);
  struct entry* entry = entry_of(&name);
  if (entry && result->type_index == kTVMFFIBool) entry->removed = 1;
  if (entry && entry->removed && result->type_index == kTVMFFISmallStr && result->small_str_len == 0) code = real.TVMFFIStringFromByteArray(&entry->metadata, result);
  pthread_mutex_unlock(&lock);
  return code;
}
WRAPPED_GLOBALS(by_name, "ffi.FunctionRemoveGlobal", "ffi.GetGlobalFuncMetadata")
