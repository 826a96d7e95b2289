// story: A call that fails leaves None in the result, whatever the caller had set there.
// breaks: FUN-0011 fail
#include "fault.h"
int TVMFFIFunctionCall(TVMFFIObjectHandle f, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(f, args, num_args, result);
  if (code != 0 && f && result && result->type_index < kTVMFFIStaticObjectBegin) memset(result, 0, sizeof(*result));
  return code;
}
