// story: When a callee fails, the call sets the caller's result to None, though the callee has not touched it.
// breaks: FUN-0011 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code != 0 && func && result && result->type_index < kTVMFFIStaticObjectBegin) memset(result, 0, sizeof(*result));
  return code;
}
