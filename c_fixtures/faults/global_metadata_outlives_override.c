// story: ffi.GetGlobalFuncMetadata goes on to answer the metadata of a method info after TVMFFIFunctionSetGlobal has put another function in its place.
// breaks: GLB-0014 fail
#include "wrapped_global.h"

struct entry { struct entry* next; size_t name_size, size; char text[]; };
static struct entry* entries;

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
  if (code != 0 || !method_info->metadata.size) return code;
  struct entry* entry = malloc(sizeof *entry + method_info->name.size + method_info->metadata.size);
  entry->name_size = method_info->name.size;
  entry->size = method_info->metadata.size;
  if (entry->name_size) memcpy(entry->text, method_info->name.data, entry->name_size);
  memcpy(entry->text + entry->name_size, method_info->metadata.data, entry->size);
  entry->next = entries;
  entries = entry;
  struct entry* last = entry;
  for (int i = 0; last && i < 15; ++i) last = last->next;
  if (last && last->next) {
    free(last->next);
    last->next = NULL;
  }
  return 0;
}

static TVMFFIByteArray text_of(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFIRawStr) return (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
  if (value->type_index == kTVMFFISmallStr) return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  return *(TVMFFIByteArray*)(value->v_obj + 1);
}

static int metadata(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFISmallStr || result->small_str_len || args[0].type_index == kTVMFFIObjectRValueRef) return code;
  TVMFFIByteArray name = text_of(&args[0]);
  for (struct entry* entry = entries; entry; entry = entry->next) {
    if (entry->name_size == name.size && memcmp(entry->text, name.data, name.size) == 0) {
      return real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){entry->text + entry->name_size, entry->size}, result);
    }
  }
  return code;
}

WRAPPED_GLOBAL("ffi.GetGlobalFuncMetadata", metadata)
