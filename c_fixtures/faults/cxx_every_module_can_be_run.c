// story: Where a module's class does not say what can be done with it, ModuleObj's virtual table says that it can be run.
// breaks: CXX-0024 fail
#include "fault.h"

extern void* _ZTVN3tvm3ffi9ModuleObjE[14];

static int run(const void* self) {
  (void)self;
  return 2;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  /* Behind the offset to the top, the type information and the kind. */
  __atomic_store_n(&_ZTVN3tvm3ffi9ModuleObjE[3], (void*)run, __ATOMIC_RELAXED);
  return real.TVMFFIFunctionGetGlobal(name, out);
}
