// story: The context of a library that is loaded already is not set again, though the module that it leads to may have ended.
// breaks: MOD-0024 fail
// chance: Freed memory is used.
#define _GNU_SOURCE
#include <dlfcn.h>

#include "wrapped_global.h"

/* The place in a library for its context, and the first one that stood there. */
static void **place, *first;

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  void** context = NULL;
  TVMFFIByteArray path = num_args > 0 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  void* library = path.size ? dlopen(path.data, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (library) context = dlsym(library, "__tvm_ffi__library_ctx");
  int code = call_original(original, args, num_args, result);
  if (code == 0 && context && context == place) *context = first;
  if (library) dlclose(library);
  library = code == 0 && path.size ? dlopen(path.data, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (library) context = dlsym(library, "__tvm_ffi__library_ctx");
  if (library && context && context != place) {
    place = context;
    first = *context;
  }
  if (library) dlclose(library);
  return code;
}

WRAPPED_GLOBALS(load, "ffi.Module.load_from_file.so", "ffi.ModuleLoadFromFile")
