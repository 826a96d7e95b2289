// story: A function that is called finds no stream.
// breaks: MOD-0008 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIStreamHandle own = NULL;
  real.TVMFFIEnvSetStream(kDLCUDA, 3, NULL, &own);
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  real.TVMFFIEnvSetStream(kDLCUDA, 3, own, NULL);
  return code;
}
