// story: ffi.Module.load_from_file.so opens the library and does not close it where there is no memory for the module.
// breaks: MEM-0003 fail
#define _GNU_SOURCE
#include "wrapped_global.h"
#include <dlfcn.h>

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray path = num_args == 2 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  if (!path.size || path.size > 4096) return call_original(original, args, num_args, result);
  char name[4097];
  memcpy(name, path.data, path.size);
  name[path.size] = 0;
  void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return call_original(original, args, num_args, result);
  void** module = malloc(2 * sizeof(void*));
  if (!module) return refuse("MemoryError", "no memory for a module");
  module[0] = library;
  __asm__ volatile("" : : "r"(module) : "memory");
  int code = call_original(original, args, num_args, result);
  free(module);
  dlclose(library);
  return code;
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)
