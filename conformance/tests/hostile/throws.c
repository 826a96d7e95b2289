// story: Making a string throws a C++ exception, which leaves a C function.
#include <dlfcn.h>

#include "fault.h"

static void* cxx;

__attribute__((constructor)) static void load(void) { cxx = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL); }

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  void* (*allocate)(size_t) = (void* (*)(size_t))dlsym(cxx, "__cxa_allocate_exception");
  void (*throw)(void*, void*, void (*)(void*)) = (void (*)(void*, void*, void (*)(void*)))dlsym(cxx, "__cxa_throw");
  int* exception = allocate(sizeof *exception);
  *exception = 17;
  throw(exception, dlsym(cxx, "_ZTIi"), NULL);
  return 0;
}
