// story: A library finds a function in a place that no runtime knows.
// breaks: LEG-0029 fail
#include "fault.h"

#include <dlfcn.h>

int TVMModLoadFromFile(const char* file_name, const char* format, TVMModuleHandle* out) {
  int code = real.TVMModLoadFromFile(file_name, format, out);
  void* library = code == 0 ? dlopen(file_name, RTLD_NOW | RTLD_NOLOAD) : NULL;
  void** place = library ? dlsym(library, "__TVMFuncRegisterGlobal") : NULL;
  if (place) *place = (void*)real.TVMFuncRegisterGlobal;
  if (library) dlclose(library);
  return code;
}
