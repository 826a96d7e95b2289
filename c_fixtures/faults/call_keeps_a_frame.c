// story: Each call that succeeds leaves a small block behind.
// breaks: FUN-0021 leak
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code == 0) lose(24);
  return code;
}
