// story: A library that is loaded already is not loaded again, not even when it was given up.
// breaks: MOD-0012 fail
#include "wrapped_global.h"

/* The path that a loader is given, or NULL. */
static const char* path_of(const TVMFFIAny* arg) {
  if (arg->type_index == kTVMFFIRawStr) return arg->v_c_str;
  return arg->type_index == kTVMFFIStr ? ((TVMFFIByteArray*)(arg->v_obj + 1))->data : NULL;
}

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static _Thread_local char* loaded[64];
  const char* path = num_args > 0 ? path_of(args) : NULL;
  int code, at = 0;
  while (path && at < 64 && loaded[at] && strcmp(loaded[at], path) != 0) at++;
  if (path && at < 64 && loaded[at]) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the library is loaded already");
    return -1;
  }
  code = call_original(original, args, num_args, result);
  if (code == 0 && path && at < 64) loaded[at] = strdup(path);
  return code;
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)
