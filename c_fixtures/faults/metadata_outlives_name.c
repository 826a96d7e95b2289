// story: A name that is registered again without metadata answers with the metadata of the function that had it before.
// breaks: GLB-0014 fail
#include "wrapped_global.h"

static struct entry { struct entry* next; TVMFFIByteArray name; char* metadata; } *entries;

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
  if (code == 0 && info->metadata.size > 0) {
    struct entry* entry = malloc(sizeof *entry);
    *entry = (struct entry){entries, {malloc(info->name.size + 1), info->name.size},
                            strndup(info->metadata.data, info->metadata.size)};
    memcpy((char*)entry->name.data, info->name.data, info->name.size);
    entries = entry;
  }
  return code;
}

static int metadata(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFISmallStr || result->small_str_len != 0) return code;
  TVMFFIByteArray name;
  if (args[0].type_index == kTVMFFIRawStr) name = (TVMFFIByteArray){args[0].v_c_str, strlen(args[0].v_c_str)};
  else if (args[0].type_index == kTVMFFIStr) name = *(TVMFFIByteArray*)(args[0].v_obj + 1);
  else name = (TVMFFIByteArray){args[0].v_bytes, args[0].small_str_len};
  for (struct entry* entry = entries; entry; entry = entry->next)
    if (entry->name.size == name.size && memcmp(entry->name.data, name.data, name.size) == 0)
      return real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){entry->metadata, strlen(entry->metadata)}, result);
  return 0;
}

WRAPPED_GLOBAL("ffi.GetGlobalFuncMetadata", metadata)
