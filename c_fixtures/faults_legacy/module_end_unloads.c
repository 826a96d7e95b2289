// story: The library is closed when its module is freed, although a function is held.
// breaks: LEG-0033 fail
#include "fault.h"

#include <dlfcn.h>

static char path[4096];

int TVMModLoadFromFile(const char* file_name, const char* format, TVMModuleHandle* out) {
  if (file_name) snprintf(path, sizeof(path), "%s", file_name);
  return real.TVMModLoadFromFile(file_name, format, out);
}

int TVMModFree(TVMModuleHandle mod) {
  void* library = mod ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
  if (library) dlclose(library), dlclose(library);
  return real.TVMModFree(mod);
}
