// story: The metadata of a global function is not removed with it: a function that is registered without any under the name later has it.
// breaks: GLB-0014 fail
#include <pthread.h>
#include "wrapped_global.h"

struct record {
  struct record* next;
  char* name;
  size_t size;
  char* metadata;
  size_t metadata_size;
};

static struct record* records;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void forget(const TVMFFIByteArray* name) {
  for (struct record** at = &records; *at;) {
    struct record* record = *at;
    if (record->size == name->size && memcmp(record->name, name->data, name->size) == 0) {
      *at = record->next;
      free(record->name);
      free(record->metadata);
      free(record);
    } else {
      at = &record->next;
    }
  }
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle former = NULL;
  if (name && real.TVMFFIFunctionGetGlobal(name, &former) != 0) return -1;
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  if (former) {
    if (code == 0) {
      pthread_mutex_lock(&lock);
      forget(name);
      pthread_mutex_unlock(&lock);
    }
    real.TVMFFIObjectDecRef(former);
  }
  return code;
}

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  forget(&info->name);
  if (info->metadata.size) {
    struct record* record = malloc(sizeof(*record));
    *record = (struct record){records, malloc(info->name.size + 1), info->name.size, malloc(info->metadata.size), info->metadata.size};
    memcpy(record->name, info->name.data, info->name.size);
    memcpy(record->metadata, info->metadata.data, info->metadata.size);
    records = record;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

static int metadata_of(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || text_of(result).size != 0) return code;
  TVMFFIByteArray name = text_of(&args[0]);
  pthread_mutex_lock(&lock);
  for (struct record* at = records; at; at = at->next) {
    if (at->size != name.size || memcmp(at->name, name.data, name.size) != 0) continue;
    if (result->type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(result->v_obj);
    code = real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){at->metadata, at->metadata_size}, result);
    break;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBAL("ffi.GetGlobalFuncMetadata", metadata_of)
