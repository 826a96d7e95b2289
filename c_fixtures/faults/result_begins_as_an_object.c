// story: A callee finds the type index of an object in its result.
// breaks: FUN-0011 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int untouched = func && result && result->type_index == kTVMFFIInt;
  if (untouched) result->type_index = kTVMFFIObject;
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (untouched && result->type_index == kTVMFFIObject) result->type_index = kTVMFFIInt;
  return code;
}
