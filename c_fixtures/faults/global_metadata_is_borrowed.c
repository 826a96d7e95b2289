// story: The metadata of a global function is not copied: whoever asks for it reads what was passed, if that is still there.
// breaks: GLB-0015 crash
#include "wrapped_global.h"

/* Of this thread: what others had on their stacks may be gone. */
static _Thread_local TVMFFIByteArray latest_name, latest_metadata;

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
  if (code == 0) {
    char* name = malloc(method_info->name.size + 1);
    memcpy(name, method_info->name.data, method_info->name.size);
    latest_name.data = name;
    latest_name.size = method_info->name.size;
    latest_metadata = method_info->metadata;
  }
  return code;
}

static int look_at_what_was_passed(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIStr && latest_metadata.size > 0) {
    TVMFFIByteArray* name = (TVMFFIByteArray*)(args[0].v_obj + 1);
    if (name->size == latest_name.size && memcmp(name->data, latest_name.data, name->size) == 0) {
      return real.TVMFFIStringFromByteArray(&latest_metadata, result);
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.GetGlobalFuncMetadata", look_at_what_was_passed)
