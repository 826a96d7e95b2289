// story: ffi.ModuleLoadFromFile takes what follows the first dot of a file's name for its format.
// breaks: MOD-0014 fail
#include "wrapped_global.h"

/* The path that a loader is given, or NULL. */
static const char* path_of(const TVMFFIAny* arg) {
  if (arg->type_index == kTVMFFIRawStr) return arg->v_c_str;
  return arg->type_index == kTVMFFIStr ? ((TVMFFIByteArray*)(arg->v_obj + 1))->data : NULL;
}

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const char* path = num_args == 1 ? path_of(args) : NULL;
  const char* name = path && strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const char* dot = name ? strchr(name, '.') : NULL;
  if (dot && dot != strrchr(name, '.')) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "no loader has this format");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleLoadFromFile", load)
