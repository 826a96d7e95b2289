// story: A library that was loaded as a module stays loaded until the process ends.
// admitted: That it is unloaded with the last reference (MOD-0010) is observed only; modules and functions end as before, and each loading makes a module of its own (MOD-0012).
#include "replaced_globals.h"

#include <dlfcn.h>

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args < 1) return code;
  const TVMFFIByteArray path = text_of(&args[0]);
  char* name = malloc(path.size + 1);
  if (!name) return code;
  memcpy(name, path.data, path.size);
  name[path.size] = 0;
  void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD | 0x1000 /* RTLD_NODELETE */);
  if (library) dlclose(library);
  free(name);
  return code;
}

static void install(void) { put("ffi.Module.load_from_file.so", load); }
