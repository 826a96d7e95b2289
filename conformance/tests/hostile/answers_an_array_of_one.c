// story: Every call of a function succeeds and answers an Array of None.
#include "wrapped_global.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)function, (void)args, (void)num_args;
  const TVMFFIAny none = {0};
  *result = none;
  return call_global("ffi.Array", &none, 1, result);
}
