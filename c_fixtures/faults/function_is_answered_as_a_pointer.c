// story: A function that a call answers is an opaque pointer.
// breaks: FUN-0018 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIFunction && num_args == 0) result->type_index = kTVMFFIOpaquePtr;
  return code;
}
