// story: The modules that ffi.SystemLib has made are found by the first sixteen bytes of their prefix.
// breaks: MOD-0034 fail
#include "wrapped_global.h"

static struct made { struct made* next; TVMFFIAny module; char prefix[17]; } *all;

static int system_lib(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const char* prefix = "";
  if (num_args == 1 && args[0].type_index == kTVMFFIRawStr) prefix = args[0].v_c_str;
  if (num_args == 1 && args[0].type_index == kTVMFFIStr) prefix = ((TVMFFIByteArray*)(args[0].v_obj + 1))->data;
  if (strlen(prefix) < 16) return call_original(original, args, num_args, result);
  for (struct made* made = all; made; made = made->next) {
    if (strncmp(made->prefix, prefix, 16) != 0) continue;
    *result = made->module;
    return real.TVMFFIObjectIncRef(result->v_obj);
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  struct made* made = calloc(1, sizeof *made);
  *made = (struct made){.next = all, .module = *result};
  memcpy(made->prefix, prefix, 16);
  all = made;
  return real.TVMFFIObjectIncRef(result->v_obj);
}

WRAPPED_GLOBAL("ffi.SystemLib", system_lib)
