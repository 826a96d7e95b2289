// story: Nothing makes Arrays: the global function is not registered.
#include <pthread.h>

#include "fault.h"

static void remove_it(void) {
  TVMFFIByteArray name = {"ffi.FunctionRemoveGlobal", 24};
  TVMFFIObjectHandle remove = NULL;
  if (real.TVMFFIFunctionGetGlobal(&name, &remove) != 0) abort();
  TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = "ffi.Array"}, result = {0};
  if (real.TVMFFIFunctionCall(remove, &argument, 1, &result) != 0) abort();
  real.TVMFFIObjectDecRef(remove);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, remove_it);
  return real.TVMFFIFunctionGetGlobal(name, out);
}
