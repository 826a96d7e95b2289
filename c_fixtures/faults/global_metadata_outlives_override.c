// story: ffi.GetGlobalFuncMetadata goes on to answer the metadata of a method info after TVMFFIFunctionSetGlobal has put another function in its place.
// breaks: GLB-0014 fail
#include <pthread.h>

#include "wrapped_global.h"

struct entry { struct entry* next; size_t name_size, size; char text[]; };
static struct entry* entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
  if (code != 0 || !method_info->metadata.size) return code;
  struct entry* entry = malloc(sizeof *entry + method_info->name.size + method_info->metadata.size);
  entry->name_size = method_info->name.size;
  entry->size = method_info->metadata.size;
  if (entry->name_size) memcpy(entry->text, method_info->name.data, entry->name_size);
  memcpy(entry->text + entry->name_size, method_info->metadata.data, entry->size);
  pthread_mutex_lock(&lock);
  entry->next = entries;
  entries = entry;
  struct entry* last = entry;
  for (int i = 0; last && i < 15; ++i) last = last->next;
  if (last && last->next) {
    free(last->next);
    last->next = NULL;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

static int metadata(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFISmallStr || result->small_str_len || args[0].type_index == kTVMFFIObjectRValueRef) return code;
  TVMFFIByteArray name = text_of(&args[0]);
  pthread_mutex_lock(&lock);
  struct entry* entry = entries;
  while (entry && (entry->name_size != name.size || memcmp(entry->text, name.data, name.size) != 0)) entry = entry->next;
  if (entry) {
    const TVMFFIByteArray kept = {entry->text + entry->name_size, entry->size};
    code = real.TVMFFIStringFromByteArray(&kept, result);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBAL("ffi.GetGlobalFuncMetadata", metadata)
