// story: A library is loaded with NULL for its context.
// breaks: MOD-0024 fail
#define _GNU_SOURCE
#include "wrapped_global.h"
#include <dlfcn.h>

/* The path that a loader is given, or NULL. */
static const char* path_of(const TVMFFIAny* arg) {
  if (arg->type_index == kTVMFFIRawStr) return arg->v_c_str;
  return arg->type_index == kTVMFFIStr ? ((TVMFFIByteArray*)(arg->v_obj + 1))->data : NULL;
}

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  const char* path = num_args > 0 ? path_of(args) : NULL;
  void* library = code == 0 && path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
  void** context = library ? dlsym(library, "__tvm_ffi__library_ctx") : NULL;
  if (context) *context = NULL;
  if (library) dlclose(library);
  return code;
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)
