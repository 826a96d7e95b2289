// story: A context symbol is stored in libraries too that were loaded before it was registered.
// breaks: MOD-0031 fail
#define _GNU_SOURCE
#include "wrapped_global.h"
#include <dlfcn.h>

/* The path that a loader is given, or NULL. */
static const char* path_of(const TVMFFIAny* arg) {
  if (arg->type_index == kTVMFFIRawStr) return arg->v_c_str;
  return arg->type_index == kTVMFFIStr ? ((TVMFFIByteArray*)(arg->v_obj + 1))->data : NULL;
}

static _Thread_local char* loaded[64];

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  const char* path = num_args > 0 ? path_of(args) : NULL;
  for (int at = 0; code == 0 && path && at < 64; at++) {
    if (!loaded[at]) loaded[at] = strdup(path);
    if (strcmp(loaded[at], path) == 0) break;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)

int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  int code = real.TVMFFIEnvModRegisterContextSymbol(name, symbol);
  for (int at = 0; code == 0 && at < 64 && loaded[at]; at++) {
    void* library = dlopen(loaded[at], RTLD_NOW | RTLD_NOLOAD);
    void** place = library ? dlsym(library, name) : NULL;
    if (place) *place = symbol;
    if (library) dlclose(library);
  }
  return code;
}
