// story: Making a function of a C function without a deleter never ends.
// breaks: ARG-0011 timeout
#include "fault.h"

#include <unistd.h>

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static TVMFFIObjectHandle extern_c;
  const TVMFFIByteArray name = {"ffi.FunctionFromExternC", 23};
  if (extern_c == NULL) real.TVMFFIFunctionGetGlobal(&name, &extern_c);
  while (func == extern_c && num_args == 3 && args[1].type_index == kTVMFFIOpaquePtr &&
         args[2].type_index == kTVMFFINone) {
    pause();
  }
  return real.TVMFFIFunctionCall(func, args, num_args, result);
}
