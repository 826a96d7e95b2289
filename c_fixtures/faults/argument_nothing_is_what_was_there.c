// story: A function that has nothing to answer leaves in the result what the caller had there.
// breaks: ARG-0013 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny before = {0};
  if (result != NULL) before = *result;
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFINone && num_args == 1 && args[0].type_index == kTVMFFIList) {
    *result = before;
  }
  return code;
}
