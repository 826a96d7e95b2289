// story: A call that fails leaves None in the result, whatever the caller had put there and the callee left alone.
// breaks: FUN-0011 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code != 0 && func && result->type_index < kTVMFFIStaticObjectBegin) memset(result, 0, sizeof *result);
  return code;
}
